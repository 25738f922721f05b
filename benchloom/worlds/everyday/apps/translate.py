"""The app of a phrase book, whose tools look up phrases in four languages."""

from typing import Literal, TypeAlias, get_args

import msgspec

from benchloom.worlds.everyday.rules import Id, Query, first_of, record
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Language: TypeAlias = Literal["english", "german", "french", "spanish"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_PHRASES = """
good morning|guten Morgen|bonjour|buenos días
good night|gute Nacht|bonne nuit|buenas noches
thank you|danke|merci|gracias
please|bitte|s'il vous plaît|por favor
excuse me|Entschuldigung|excusez-moi|perdone
how much is it|was kostet das|combien ça coûte|cuánto cuesta
where is the station|wo ist der Bahnhof|où est la gare|dónde está la estación
where is the harbour|wo ist der Hafen|où est le port|dónde está el puerto
a table for two|einen Tisch für zwei|une table pour deux|una mesa para dos
the bill, please|die Rechnung, bitte|l'addition, s'il vous plaît|la cuenta, por favor
I am lost|ich habe mich verlaufen|je suis perdu|estoy perdido
I need help|ich brauche Hilfe|j'ai besoin d'aide|necesito ayuda
when does the ferry leave|wann fährt die Fähre|quand part le ferry|cuándo sale el ferry
I do not understand|ich verstehe nicht|je ne comprends pas|no entiendo
see you tomorrow|bis morgen|à demain|hasta mañana
two tickets, please|zwei Karten, bitte|deux billets, s'il vous plaît|dos billetes, por favor
the water|das Wasser|l'eau|el agua
the bread|das Brot|le pain|el pan
the key|der Schlüssel|la clé|la llave
the room|das Zimmer|la chambre|la habitación
"""
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
    """A phrase in one language; its id is equal in all languages."""

    phrase_id: str
    language: Language
    text: str


PHRASES = Table("phrases", Phrase, order="text", searched=("text",))


@read_tool(query="a part of the phrase.")
def search_phrases(
    state: State, *, query: Query = "", language: Language = "english"
) -> list[Phrase]:
    """Find phrases of a language, in alphabetical order."""
    return PHRASES.search(state, query, language=language)


@read_tool()
def get_phrase(state: State, *, phrase_id: Id, language: Language) -> Phrase:
    """Return a phrase in a language."""
    matches = PHRASES.search(state, phrase_id=phrase_id, language=language)
    return first_of(matches, "not_found", f"there is no phrase {phrase_id!r}")


@read_tool(language="its language.", to_language="the target language.")
def translate_text(
    state: State, *, text: Query, language: Language, to_language: Language
) -> Phrase:
    """Translate a phrase in the phrase book, ignoring case."""
    folded_text = text.casefold().strip(" .!?")
    for phrase in search_phrases(state, language=language):
        if phrase.text.casefold() == folded_text:
            return get_phrase(state, phrase_id=phrase.phrase_id, language=to_language)
    raise RefusedError("not_found", f"the phrase book has no {language} phrase {text!r}")


@read_tool()
def detect_language(state: State, *, text: Query) -> Phrase:
    """Return the language of a phrase in the phrase book."""
    folded_text = text.casefold().strip(" .!?")
    for row in state.rows("SELECT * FROM phrases ORDER BY language, phrase_id"):
        if str(row["text"]).casefold() == folded_text:
            return record(Phrase, row)
    raise RefusedError("not_found", f"the phrase book has no phrase {text!r}")


def _fill(state: State) -> None:
    for number, line in enumerate(_PHRASES.strip().splitlines(), 1):
        for language, text in zip(LANGUAGES, line.split("|"), strict=True):
            state.add("phrases", phrase_id=f"ph{number:02d}", language=language, text=text)


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
