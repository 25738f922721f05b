"""The app of a dictionary, whose tools look up definitions of words."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import Query, record
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Word: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{1,30}$(?!\n)")]
WordKind: TypeAlias = Literal["adjective", "noun", "verb"]
WORDS = (
    ("ample", "adjective", "more than enough", "plentiful scant"),
    ("brisk", "adjective", "quick and lively", "lively slow"),
    ("calm", "adjective", "without wind or worry", "quiet stormy"),
    ("ferry", "noun", "a ship that carries people across a water and back", "boat"),
    ("gather", "verb", "to bring together what lies apart", "collect scatter"),
    ("harbour", "noun", "a place where ships lie safely", "port"),
    ("hedge", "noun", "a row of bushes that marks where a garden ends", "fence"),
    ("kindle", "verb", "to set fire to something", "light quench"),
    ("lantern", "noun", "a lamp with a case that keeps out the wind", "lamp"),
    ("lively", "adjective", "full of movement", "brisk dull"),
    ("mend", "verb", "to make whole what is broken", "repair break"),
    ("orchard", "noun", "a piece of land with fruit trees", "grove"),
    ("plentiful", "adjective", "there in large numbers", "ample scarce"),
    ("quench", "verb", "to put out a fire, or to end thirst", "douse kindle"),
    ("quilt", "noun", "a warm cover made of several layers", "blanket"),
    ("repair", "verb", "to make something work again", "mend damage"),
    ("scant", "adjective", "hardly enough", "meagre ample"),
    ("scatter", "verb", "to throw in many directions", "spread gather"),
    ("thrifty", "adjective", "careful with money", "frugal wasteful"),
    ("wander", "verb", "to walk without a goal", "roam"),
)
"""Each word with its kind, its definition, and its synonym followed by an antonym, if any."""
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
    """A word and its definition."""

    word: str
    kind: WordKind
    meaning: str


class Related(msgspec.Struct, frozen=True):
    """A word that is related to another word."""

    word: str
    of: str


_WORDS = Table("words", Entry, order="word", searched=("word", "meaning"))


@read_tool(query="a part of the word or of its definition.", kind="only words of this kind.")
def search_words(state: State, *, query: Query = "", kind: WordKind | None = None) -> list[Entry]:
    """Find words, in alphabetical order."""
    return _WORDS.search(state, query, kind=kind)


@read_tool()
def define_word(state: State, *, word: Word) -> Entry:
    """Return the definition of a word."""
    return record(Entry, state.row("words", word=word))


@read_tool()
def find_synonym(state: State, *, word: Word) -> Related:
    """Return a synonym of a word."""
    return Related(str(state.row("words", word=word)["synonym"]), word)


@read_tool()
def find_antonym(state: State, *, word: Word) -> Related:
    """Return the antonym of a word."""
    antonym = state.row("words", word=word)["antonym"]
    if antonym is None:
        raise RefusedError("not_found", f"{word} has no antonym")
    return Related(str(antonym), word)


def _fill(state: State) -> None:
    for word, kind, meaning, related_words in WORDS:
        synonym, _, antonym = related_words.partition(" ")
        state.add(
            "words", word=word, kind=kind, meaning=meaning, synonym=synonym, antonym=antonym or None
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("dictionary", globals(), descriptions={"word": "the word, in lower case."}),
    frozen=("words",),
    goals={
        "define_word": "find out what a word means",
        "find_antonym": "find the opposite of a word",
        "find_synonym": "find another word for a word",
    },
)
