"""Functions that read parts of HTML and JSON, and tolerate damaged content.

They return None or an empty list if a part is missing. The only error is PageRefusedError, for
markup that cannot be parsed in bounded time.
"""

import html
import re
from collections.abc import Iterator

import msgspec
import webencodings
from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.pages.addresses import join_address
from scrapers.pages.markup import parsed_markup
from scrapers.pages.page import Page

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']{1,64})(?=[\s;,\"']|$)", re.IGNORECASE)

# Browsers show nothing for this encoding, but its markup is ASCII and can be read.
_UNSAFE = "replacement"

_BLANKS = re.compile(r"\s+")
_NUMBER = re.compile(r"\d[\d,. \u00a0\u202f]*")
_TAG = re.compile(r"<[^>]*>")
_BLOCKS = frozenset({"blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5"}) | {
    *("h6", "hr", "li", "ol", "p", "pre", "section", "article", "table", "td", "th", "tr", "ul")
}
_COUNT_UNITS = {"k": 1_000, "m": 1_000_000, "w": 10_000, "万": 10_000}


def document(page: Page) -> LexborHTMLParser:
    """Parse the body of a page as HTML; damaged markup is read as browsers read it."""
    return parsed_markup(web_text(page.body, page.header("Content-Type")))


def is_html(page: Page) -> bool:
    """Whether the body of a page begins like HTML."""
    start = page.body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--"))


def clean(text: str | None) -> str | None:
    """Return a text on one line without blanks at its ends, or None if nothing is left."""
    if text is None:
        return None
    return _BLANKS.sub(" ", text).strip() or None


def text_of(node: LexborNode | None) -> str | None:
    """Return the text inside a node on one line, or None if there is none."""
    return clean(node.text(deep=True)) if node is not None else None


class TextAround:
    """A reader of the text around entries, with a limit on the total length.

    If many entries are inside the same node, its text would be read again for each of them. So the
    total is limited to four times the page's length. A page whose entries each have a separate
    paragraph never reaches this limit.
    """

    def __init__(self, page: Page) -> None:
        self._left = 4 * len(page.body) + 4096

    def of(self, node: LexborNode | None) -> str | None:
        """Return the text inside a node on one line, or None when the limit has been reached."""
        if self._left <= 0:
            return None
        text = text_of(node)
        self._left -= len(text or "")
        return text


def paragraphs_of(node: LexborNode | None) -> str | None:
    """Return the text inside a node with a line for each block element, without empty lines."""
    if node is None:
        return None
    pieces: list[str] = []
    for inner in node.traverse(include_text=True):
        if inner.tag == "-text":
            pieces.append(_BLANKS.sub(" ", inner.text_content or ""))
        elif inner.tag in _BLOCKS:
            pieces.append("\n")
    lines = (clean(line) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line) or None


def first(root: LexborHTMLParser | LexborNode, *selectors: str) -> LexborNode | None:
    """Return the first node that the first matching CSS selector finds, or None."""
    nodes = (root.css_first(selector) for selector in selectors)
    return next((node for node in nodes if node is not None), None)


def attribute(node: LexborNode | None, name: str) -> str | None:
    """Return the value of a node's attribute without blanks at its ends, or None."""
    value = node.attributes.get(name) if node is not None else None
    return value.strip() if value else None


def plain_text(markup: str | None) -> str | None:
    """Return the text of a piece of markup, with a line for each block element."""
    if not markup:
        return None
    if not _TAG.search(markup):
        return clean(html.unescape(markup))
    return paragraphs_of(parsed_markup(markup).body)


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes that contain a node, innermost first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """Return the nodes that are not inside another node of the list.

    Searching inside each of many nested nodes would take time quadratic in the page's length.
    """
    node_ids = {node.mem_id for node in nodes}
    return [node for node in nodes if all(a.mem_id not in node_ids for a in ancestors(node))]


def absolute(page: Page, target: str | None, base: str) -> str | None:
    """Return a link on a page as an absolute web address, or None if it cannot be one.

    If the address of the page is unknown, the link is relative to `base`.
    """
    return join_address(page.url or base, target)


def count(text: object) -> int | None:
    """Parse a number as sites write it, such as "1,234", "1.2k" or "3万 reads", or return None."""
    if isinstance(text, bool) or text is None:
        return None
    if isinstance(text, int):
        return text if 0 <= text < 2**53 else None
    if isinstance(text, float):
        return int(text) if 0 <= text < 2**53 else None
    match = _NUMBER.search(str(text)[:200])
    if match is None:
        return None
    digits = match.group().strip(" ,.\u00a0\u202f")
    unit = _COUNT_UNITS.get(str(text)[match.end() : match.end() + 1].lower())
    following = str(text)[match.end() + 1 : match.end() + 2]
    if unit and not following.isalpha():
        try:
            return int(float(digits.replace(",", "")) * unit)
        except ValueError:
            return None
    plain = re.sub(r"[^\d]", "", digits)
    return int(plain) if plain and len(plain) < 16 else None


def labelled(text: str | None, pattern: str) -> str | None:
    """Search a text for a regular expression; return its first group on one line, or None."""
    match = re.search(pattern, text or "", re.IGNORECASE)
    return clean(match.group(1)) if match else None


def json_body(page: Page) -> object | None:
    """Parse the body of a page as JSON; return None if it is not a JSON object or array."""
    start = page.body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")):
        return None
    try:
        parsed_body: object = msgspec.json.decode(start)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return parsed_body


def member(value: object, *path: str) -> object | None:
    """Return the value at a path of keys in nested JSON objects, or None if there is none."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def rows(value: object) -> list[object]:
    """Return a JSON array unchanged, or an empty list for any other value."""
    return value if isinstance(value, list) else []


def words(value: object) -> str | None:
    """Return a JSON string or number as text, or None for a blank string or any other value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


# A server's charset label may name any Python codec: some are not text encodings, some raise on
# every input. Only the fixed list of web labels is looked up.
def web_text(body: bytes, content_type: str | None) -> str:
    """Decode a page with the encoding that its byte order mark or its Content-Type names.

    If neither of them names an encoding, it is UTF-8. Invalid bytes become U+FFFD.
    """
    match = _CHARSET.search(content_type or "")
    encoding = webencodings.lookup(match.group(1)) if match else None
    if encoding is None or encoding.name == _UNSAFE:
        encoding = webencodings.UTF8
    text: str
    text, _ = webencodings.decode(body, encoding, errors="replace")
    return text
