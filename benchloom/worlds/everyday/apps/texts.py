"""The app that counts, changes and searches texts in arguments; the app has no data."""

import re
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Long: TypeAlias = Annotated[str, msgspec.Meta(max_length=4000)]
Short: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Length: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Form: TypeAlias = Literal["upper", "lower", "title", "sentence"]
LONGEST = 20_000
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?")
_EMAIL = re.compile(r"[a-z0-9._-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}", re.IGNORECASE)


class Counts(msgspec.Struct, frozen=True):
    """The size of a text."""

    characters: int
    words: int
    lines: int


class Changed(msgspec.Struct, frozen=True):
    """The changed text."""

    text: str


class Numbers(msgspec.Struct, frozen=True):
    """The numbers in a text, in order."""

    numbers: list[float]


class Emails(msgspec.Struct, frozen=True):
    """The distinct email addresses in a text, in order and in lower case."""

    emails: list[str]


@read_tool()
def count_text(_state: State, *, text: Long) -> Counts:
    """Count the characters, words and lines of a text."""
    _plain(text)
    return Counts(len(text), len(text.split()), len(text.split("\n")))


@read_tool(
    form="upper or lower for all letters; title capitalises every word, sentence only the first."
)
def change_case(_state: State, *, text: Long, form: Form) -> Changed:
    """Change the case of the letters of a text."""
    _plain(text)
    if form == "sentence":
        return Changed(text[:1].upper() + text[1:].lower())
    if form == "title":
        return Changed(
            re.sub(r"\S+", lambda match: match[0][:1].upper() + match[0][1:].lower(), text)
        )
    return Changed(text.upper() if form == "upper" else text.lower())


@read_tool(old="a part of the text.", new="the replacement; an empty text deletes the part.")
def replace_text(_state: State, *, text: Long, old: Short, new: Long = "") -> Changed:
    """Replace a part of a text everywhere."""
    _plain(text, old, new)
    occurrences = text.count(old)
    if not occurrences:
        raise RefusedError("not_found", f"{old!r} is not in the text")
    if len(text) + occurrences * (len(new) - len(old)) > LONGEST:
        raise RefusedError("invalid_argument", f"the result would exceed {LONGEST} characters")
    return Changed(text.replace(old, new))


@read_tool(backwards="whether to sort in descending order.")
def sort_lines(_state: State, *, text: Long, backwards: bool = False) -> Changed:
    """Sort the lines of a text, ignoring case."""
    _plain(text)
    lines = sorted(text.split("\n"), key=lambda line: (line.casefold(), line), reverse=backwards)
    return Changed("\n".join(lines))


@read_tool(length="the maximum number of characters.")
def shorten_text(_state: State, *, text: Long, length: Length) -> Changed:
    """Shorten a text to whole words from its beginning."""
    _plain(text)
    words = text.split()
    short_text = ""
    for word in words:
        longer = f"{short_text} {word}" if short_text else word
        if len(longer) > length:
            break
        short_text = longer
    return Changed(short_text)


@read_tool()
def find_numbers(_state: State, *, text: Long) -> Numbers:
    """Find the numbers in a text."""
    _plain(text)
    return Numbers([float(number) for number in _NUMBER.findall(text)])


@read_tool()
def find_emails(_state: State, *, text: Long) -> Emails:
    """Find the email addresses in a text."""
    _plain(text)
    return Emails(list(dict.fromkeys(address.lower() for address in _EMAIL.findall(text))))


def _plain(*texts: str) -> None:
    """Refuse texts with lone surrogates, which cannot be stored as UTF-8."""
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError as error:
        raise RefusedError("invalid_argument", f"the text is not valid Unicode: {error}") from error


APP = App(
    tools=tools_of("texts", globals(), descriptions={"text": "the text."}),
    goals={
        "change_case": "change the letters of a text to capitals or small ones",
        "replace_text": "replace a word in a text",
    },
)
