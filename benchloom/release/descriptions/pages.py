"""Render HTML and Markdown pages from templates. External text is escaped, and links are checked.

This module also contains the sentences that several documents of a release share.
"""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchloom.core.data_files import data_path
from benchloom.core.plain_words import ABSENT
from benchloom.storage.workspace import write_file

if TYPE_CHECKING:
    from jinja2 import Environment


TEMPLATES = data_path("benchloom.release.descriptions", "templates")
_ICLOUD_ID = re.compile(r"[0-9a-f]{32}")
# Characters that hide text or reverse its direction, and so could disguise external text.
_INVISIBLE = re.compile("[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        # Only the Markdown template has no automatic escaping; it calls `markdown`.
        autoescape=select_autoescape((), ("md.j2",), default_for_string=True, default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters["visible"] = visible
    environment.filters["markdown"] = markdown
    environment.filters["number"] = number
    environment.filters["counted"] = counted
    environment.globals["absent"] = ABSENT
    return environment


def render(template: str, **values: object) -> str:
    """Fill in a Jinja template of the folder `templates` and return the text."""
    return _environment().get_template(template).render(**values)


def write_page(path: Path, template: str, **values: object) -> Path:
    """Fill in a Jinja template, write the text to a file, and return the file's path."""
    write_file(path, render(template, **values).encode("utf-8", "replace"))
    return path


def visible(text: str) -> str:
    """Replace characters that could hide text: control characters and direction marks."""
    return _INVISIBLE.sub("\ufffd", text)


def markdown(text: object) -> str:
    """Escape a text so that it appears unchanged in a table cell of a Markdown page."""
    line = " ".join(visible(str(text)).split())
    line = re.sub(r"([\\`*_\[\]|~])", r"\\\1", line)
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def number(value: float, unit: str = "") -> str:
    """Format a number for people, with thousands separators and, if there is one, its unit."""
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.4f}".rstrip("0").rstrip(".")
    return f"{text} {unit}" if unit else text


def counted(count: int, noun: str) -> str:
    """Format a count with its noun, for example "1 row" or "2,000 rows"."""
    return f"{number(count)} {noun}" + ("" if count == 1 else "s")


def web_address(text: str | None) -> str | None:
    """Return the text without outer spaces if it is a plain web address, or None."""
    if not text or visible(text) != text:
        return None
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return None
    return text.strip() if parts.scheme in {"http", "https"} and parts.hostname else None


def icloud_address(icloud_id: str | None) -> str | None:
    """Return the sharing link of an iCloud record id, or None if the id is not 32 hex digits."""
    lower_id = (icloud_id or "").lower()
    if not _ICLOUD_ID.fullmatch(lower_id):
        return None
    return f"https://www.icloud.com/shortcuts/{lower_id}"


DESCRIPTION = (
    "Data for API-calling and tool-planning agents, built from things that people made: shared "
    "shortcuts as typed actions, the definitions of the APIs they call, plans from annotated "
    "dialogues, and generated queries with their checks. A release contains some or all of these."
)
LICENCE_ADDRESS = "https://www.apache.org/licenses/LICENSE-2.0"
LICENCE = (
    "Structure, figures, checks and generated texts are under Apache-2.0. Shortcuts, listings, "
    "definitions and dialogues belong to the people who made them, under the licence of their "
    "source. The licence of each table is named with its columns, and every row names its source."
)
TAKEDOWN = (
    "The author of a shortcut or a listing can have it removed: send the publisher of this release "
    "its iCloud link or the shortcut_id of the row. Later releases omit it, even if it is crawled "
    "again. Published releases are never changed, so the publisher withdraws those that contain it."
)
LIMITS = (
    "People shared these shortcuts in public; they do not represent all that people automate.",
    "Arguments are those of the authors: in many languages, with addresses that may be dead.",
    "Only exact duplicates, including those with renamed ids, are merged; near duplicates remain.",
    "Length and level measure the structure of a shortcut, not its usefulness.",
)
