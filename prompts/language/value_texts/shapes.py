"""Classifies a text by its form: words that people say, code, address, path, id or signs."""

import re

LONGEST = 60
"""Characters of a text that a single request can carry."""
_ADDRESS = re.compile(r"^[a-z][\w+.-]*:(//|\w)|^(mailto|tel|data):|://|^www\.", re.IGNORECASE)
_SITE = re.compile(
    r"^(https?://)?(www\.)?[\w-]+(\.[\w-]+)*\.(com|org|net|io|app|co|de|it|fr|uk|cn|me|dev|edu|gov|"
    r"info|us|ai|no|se|es|nl|ch|at|jp|kr|in|ru|br|tv|eu|example)/?$",
    re.IGNORECASE,
)
_FILE = re.compile(r"^[\w .()-]{1,60}\.[a-z0-9]{1,8}$", re.IGNORECASE)
_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-|^#?(?=.*\d)[0-9a-f]{6,}$|^(?=\S*\d)(?=\S*[a-z])[\w+/=-]{20,}$|"
    r"^[a-z][\w-]*(\.[\w-]+){2,}$|^id:",
    re.IGNORECASE,
)
_PATH = re.compile(r"^[~./]*(/[^/\s]+)+/?$|^[\w .-]+(/[\w .-]+)+\.\w+$|^\w+(/\w+){2,}$")
_CODE = re.compile(
    r"[{}<>\\|^`]|\$\{|\[\^|\(\?|==|=>|\w\(\)|;\s*$|\w=\w|&\w+=|^[-+*/%=&?!#@:;,.~()]+$|%\w"
)
_PROGRAM = re.compile(
    r"\(\?|\.\*|\[\^|\w\(\)|=>|==|</?\w+[ />]|\{\s*[\"'\w]+\s*:|;\s*(\n|$)|"
    r"^\s*(def|import|var|const|let) |^BEGIN:VCARD",
    re.MULTILINE,
)
"""Constructs of programs, markup, patterns and data that sentences do not contain."""
_IDENTIFIER = re.compile(r"^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$|^[a-z]+([A-Z][a-z0-9]+)+$|^[\w]+=[\w]*$")
_LETTER = re.compile(r"[^\W_]")


def fault_of(text: str) -> str | None:
    """Return why people would not say a text, or None if they might.

    One of empty, redacted, signs, address, site, file_name, identifier, path, code, long_text;
    people may still say a site, a file_name or a long_text.
    """
    stripped_text = text.strip()
    if not stripped_text:
        return "empty"
    if "[redacted:" in stripped_text:
        return "redacted"
    if not _LETTER.search(stripped_text):
        return "signs"
    if len(stripped_text) <= 4 * LONGEST:
        for name, pattern in _SHAPES:
            if pattern.search(stripped_text):
                return name
    if len(stripped_text) > LONGEST or "\n" in stripped_text:
        return "code" if _PROGRAM.search(stripped_text[:4_000]) else "long_text"
    return None


_SHAPES = (
    ("site", _SITE),
    ("address", _ADDRESS),
    ("path", _PATH),
    ("identifier", _ID),
    ("identifier", _IDENTIFIER),
    ("file_name", _FILE),
    ("code", _CODE),
)


def site_of(text: str) -> str:
    """Return the site name if the text is an address without a path, else ""."""
    stripped_text = text.strip()
    if len(stripped_text) > LONGEST or not _SITE.match(stripped_text):
        return ""
    return stripped_text.rpartition("//")[2].removeprefix("www.").rstrip("/")


MAY = frozenset({"site", "file_name", "long_text"})
"""Faults that keep a text from being demanded, not from being said."""


def is_name(text: str) -> bool:
    """Whether a short text reads as a name or a phrase: blanks, a capital, or other scripts."""
    stripped_text = text.strip()
    if stripped_text.isascii() and stripped_text.isupper():
        return " " in stripped_text or len(stripped_text) > 4
    return " " in stripped_text or stripped_text[:1].isupper() or not stripped_text.isascii()
