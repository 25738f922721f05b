"""Dictionary: what words mean; it is looked up and never changed."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.everyday.arguments import Query
from benchloom.worlds.suites.everyday.rules import record
from benchloom.worlds.suites.everyday.starts.lookups import WORDS
from benchloom.worlds.suites.everyday.tables import Table
from benchloom.worlds.tool import App, read_tool, tools_of

Word: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{1,30}$(?!\n)")]
WordKind: TypeAlias = Literal["adjective", "noun", "verb"]
_SCHEMA = """
CREATE TABLE words (
    word TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    meaning TEXT NOT NULL,
    synonym TEXT NOT NULL,
    antonym TEXT
) STRICT;
"""


class Entry(msgspec.Struct, frozen=True):
    """A word and what it means."""

    word: str
    kind: WordKind
    meaning: str


class Related(msgspec.Struct, frozen=True):
    """A word that another leads to."""

    word: str
    of: str


_WORDS = Table("words", Entry, order="word", searched=("word", "meaning"))


@read_tool(query="a part of the word or of its meaning.", kind="only words of this kind.")
def search_words(state: State, *, query: Query = "", kind: WordKind | None = None) -> list[Entry]:
    """Find words, by the alphabet."""
    return _WORDS.search(state, query, kind=kind)


@read_tool()
def define_word(state: State, *, word: Word) -> Entry:
    """Tell what a word means."""
    return record(Entry, state.row("words", word=word))


@read_tool()
def find_synonym(state: State, *, word: Word) -> Related:
    """Tell a word that means the same."""
    return Related(str(state.row("words", word=word)["synonym"]), word)


@read_tool()
def find_antonym(state: State, *, word: Word) -> Related:
    """Tell a word that means the opposite."""
    antonym = state.row("words", word=word)["antonym"]
    if antonym is None:
        raise RefusedError("not_found", f"{word} has no opposite")
    return Related(str(antonym), word)


def _fill(state: State) -> None:
    for word, kind, meaning, others in WORDS:
        same, _, opposite = others.partition(" ")
        state.add(
            "words", word=word, kind=kind, meaning=meaning, synonym=same, antonym=opposite or None
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("dictionary", globals(), descriptions={"word": "the word, in small letters."}),
    frozen=("words",),
    goals={
        "define_word": "find out what a word means",
        "find_antonym": "find the opposite of a word",
        "find_synonym": "find another word for a word",
    },
)
