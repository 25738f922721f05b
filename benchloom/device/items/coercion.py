"""Convert an item to text, a number, a boolean, a dictionary, JSON or HTML, as the app does.

Rules that Apple does not document are marked as guesses.
"""

import html
import json
import math
import re
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import quote

from benchloom.device.errors import LimitError
from benchloom.device.items import (
    AppItem,
    Contact,
    Content,
    Dictionary,
    File,
    Item,
    Location,
    MadeAnswer,
    RichText,
    Url,
)
from benchloom.device.items.moments import write_date

_LARGEST = 2**63
_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|/tr)\b[^<>]{0,200}>", re.IGNORECASE)
_HIDDEN = re.compile(r"<(script|style)\b.{0,100000}?</\1>", re.IGNORECASE | re.DOTALL)
_MAX_DEPTH = 60
_NUMERIC = (
    *("version", "count", "number", "total", "price", "amount"),
    *("latitude", "longitude", "temperature"),
)
"""Words in the names of keys and properties whose simulated values are numbers."""


def text_of(item: Item) -> str:
    """Convert an item to text.

    Numbers have no trailing zeros. It is a guess that booleans become Yes and No, that dictionaries
    become JSON, and that dates are written in the medium style with the time.
    """
    if isinstance(item, str):
        return item
    if item is None:
        return ""
    if isinstance(item, bool):
        return "Yes" if item else "No"
    if isinstance(item, int | float):
        return number_text(item)
    if isinstance(item, MadeAnswer):
        return answer_text(item)
    if isinstance(item, datetime):
        return write_date(item, "Medium", "Short")
    if isinstance(item, dict):
        return to_json(item)
    if isinstance(item, list):
        return "\n".join(map(text_of, item))
    if isinstance(item, Url):
        return item.address
    if isinstance(item, RichText):
        return text_of_html(item.html)
    if isinstance(item, File):
        return item.name if item.text is None else item.text
    if isinstance(item, Location):
        parts = (item.street, item.city, item.state, item.postal_code, item.country)
        return "\n".join(part for part in parts if part) or item.name
    return item.name


def content_text(content: Content) -> str:
    """Convert content to one text, with a line per item."""
    return text_of(content[0]) if len(content) == 1 else "\n".join(map(text_of, content))


def number_text(number: float) -> str:
    """Format a number as the app does, with at most 15 digits.

    A whole number gets no decimal point.
    """
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return {"inf": "∞", "-inf": "-∞"}.get(str(number), "NaN")
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return repr(float(f"{number:.15g}"))


def small(number: float) -> int | float:
    """Return a whole number as an int unless it is very large, and any other number as a float."""
    if isinstance(number, int):
        return number if abs(number) < _LARGEST else _float(number)
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def number_of(item: Item) -> int | float | None:
    """Convert an item to a number: the first number in its text, or None."""
    if isinstance(item, bool):
        return int(item)
    if isinstance(item, int | float):
        return item
    if isinstance(item, str):
        return next(numbers_in(item), None)
    if isinstance(item, MadeAnswer):
        return item.number
    if isinstance(item, datetime):
        return small(item.timestamp())
    if item is None or isinstance(item, dict | list):
        return None
    return next(numbers_in(text_of(item)), None)


def numbers_in(text: str) -> Iterator[int | float]:
    """Yield the numbers that a text contains; commas between digits group thousands."""
    for match in _NUMBER.finditer(text):
        digits = match[0].replace(",", "")
        if len(digits) > 400:
            continue
        try:
            yield small(int(digits)) if digits.lstrip("+-").isdigit() else small(float(digits))
        except ValueError:
            continue


def truth_of(item: Item) -> bool:
    """Convert an item to a boolean: "no", "false", 0 and empty content are false."""
    if isinstance(item, bool):
        return item
    if isinstance(item, int | float):
        return item != 0
    if isinstance(item, str):
        return item.strip().lower() not in ("", "no", "false", "0")
    return item is not None and item not in ([], {})


def dictionary_of(item: Item) -> Dictionary | None:
    """Convert an item that is JSON, or that has properties, to a dictionary, or return None."""
    if isinstance(item, dict):
        return item
    if isinstance(item, File):
        return None if item.text is None else dictionary_of(item.text)
    if isinstance(item, RichText):
        return dictionary_of(text_of_html(item.html))
    if isinstance(item, Contact):
        return {"Name": item.name, "Company": item.company, "Notes": item.note}
    if isinstance(item, AppItem):
        return {"Name": item.name, **item.properties}
    if isinstance(item, str):
        parsed = from_json(item)
        if isinstance(parsed, dict):
            return parsed
    return None


def from_json(text: str) -> Item:
    """Parse JSON as an item; return None for invalid JSON.

    Raises:
        LimitError: values are nested too deeply.
    """
    trimmed = text.strip()
    if not trimmed.startswith(("{", "[")):
        return None
    try:
        return _settled(json.loads(trimmed, parse_int=_parse_int), 0)
    except RecursionError as error:
        raise LimitError("JSON values are nested too deeply") from error
    except ValueError:
        return None


def _parse_int(digits: str) -> int | float:
    return small(int(digits)) if len(digits) < 400 else math.inf


def _settled(value: object, depth: int) -> Item:
    if depth > _MAX_DEPTH:
        raise LimitError(f"JSON values are nested more than {_MAX_DEPTH} levels deep")
    if isinstance(value, dict):
        return {str(key): _settled(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [_settled(part, depth + 1) for part in value]
    if isinstance(value, float):
        return small(value)
    return value if isinstance(value, str | int) else None


def to_json(item: Item) -> str:
    """Write an item as JSON; types that JSON lacks become strings."""
    return json.dumps(_jsonable(item, 0), ensure_ascii=False, separators=(",", ":"))


def _jsonable(item: Item, depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise LimitError(f"values are nested more than {_MAX_DEPTH} levels deep")
    if isinstance(item, dict):
        return {key: _jsonable(value, depth + 1) for key, value in item.items()}
    if isinstance(item, list):
        return [_jsonable(value, depth + 1) for value in item]
    if item is None or isinstance(item, str | bool | int):
        return item
    if isinstance(item, float):
        return item if math.isfinite(item) else None
    return text_of(item)


def text_of_html(source: str) -> str:
    """Return the visible text of HTML."""
    text = _TAG.sub("", _BREAK.sub("\n", _HIDDEN.sub("", source)))
    return html.unescape(text).strip()


def html_of(item: Item) -> str:
    """Return an item as HTML."""
    if isinstance(item, RichText):
        return item.html
    if isinstance(item, Url):
        return f'<a href="{html.escape(item.address)}">{html.escape(item.address)}</a>'
    lines = html.escape(text_of(item)).splitlines()
    return "".join(f"<p>{line}</p>" for line in lines)


def made_address(item: MadeAnswer) -> str:
    """Return the URL that a simulated answer becomes if it is read as a URL."""
    return "https://example.com/" + "/".join(quote(part) for part in item.path)


def answer_text(item: MadeAnswer) -> str:
    """Return the text of a simulated answer.

    The text is a URL or a number if the name of the value suggests one, else the name itself.
    """
    name = item.path[-1]
    folded = name.lower()
    if folded.endswith(("url", "link", "href")):
        return made_address(item)
    if any(word in folded for word in _NUMERIC):
        return number_text(item.number)
    return name
