"""Translate: a phrase book of four languages; it is looked up and never changed."""

from typing import Literal, TypeAlias

import msgspec

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.everyday.arguments import Id, Query
from benchloom.worlds.suites.everyday.rules import first_of, record
from benchloom.worlds.suites.everyday.starts.lookups import phrases
from benchloom.worlds.suites.everyday.tables import Table
from benchloom.worlds.tool import App, read_tool, tools_of

Language: TypeAlias = Literal["english", "german", "french", "spanish"]
_SCHEMA = """
CREATE TABLE phrases (
    phrase_id TEXT NOT NULL,
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (phrase_id, language)
) STRICT;
CREATE INDEX phrases_by_text ON phrases (text);
"""


class Phrase(msgspec.Struct, frozen=True):
    """A phrase in one language; it has one id in all of them."""

    phrase_id: str
    language: Language
    text: str


PHRASES = Table("phrases", Phrase, order="text", searched=("text",))


@read_tool(query="a part of the phrase.")
def search_phrases(
    state: State, *, query: Query = "", language: Language = "english"
) -> list[Phrase]:
    """Find phrases of a language, by the alphabet."""
    return PHRASES.search(state, query, language=language)


@read_tool()
def get_phrase(state: State, *, phrase_id: Id, language: Language) -> Phrase:
    """Say a phrase in a language."""
    matches = PHRASES.search(state, phrase_id=phrase_id, language=language)
    return first_of(matches, "not_found", f"there is no phrase {phrase_id!r}")


@read_tool(language="its language.", to_language="the language to say it in.")
def translate_text(
    state: State, *, text: Query, language: Language, to_language: Language
) -> Phrase:
    """Translate a phrase that is in the book, capitals or not."""
    folded_text = text.casefold().strip(" .!?")
    for phrase in search_phrases(state, language=language):
        if phrase.text.casefold() == folded_text:
            return get_phrase(state, phrase_id=phrase.phrase_id, language=to_language)
    raise RefusedError("not_found", f"the book has no {language} phrase {text!r}")


@read_tool()
def detect_language(state: State, *, text: Query) -> Phrase:
    """Tell the language of a phrase that is in the book."""
    folded_text = text.casefold().strip(" .!?")
    for row in state.rows("SELECT * FROM phrases ORDER BY language, phrase_id"):
        if str(row["text"]).casefold() == folded_text:
            return record(Phrase, row)
    raise RefusedError("not_found", f"the book has no phrase {text!r}")


def _fill(state: State) -> None:
    for number, language, text in phrases():
        state.add("phrases", phrase_id=f"ph{number + 1:02d}", language=language, text=text)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "translate", globals(), descriptions={"language": "the language.", "text": "the phrase."}
    ),
    frozen=("phrases",),
    goals={
        "detect_language": "find out which language a phrase is in",
        "get_phrase": "say something in another language",
        "translate_text": "translate a phrase",
    },
)
