"""A release gate: all files are tables or expected documents, and no document can run code.

Pages may contain only the HTML and SVG that our templates produce, because browsers may interpret
any other markup in unexpected ways.
"""

import html
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.release.documents import DOCUMENTS
from benchloom.release.gates.rows import check_key, unless_passed
from benchloom.release.gates.view import GateView

_TAG_NAMES = (
    "a b body br caption code dd details div dl dt em figcaption figure footer g h1 h2 h3 h4 head "
    "header html input label li main meta nav noscript ol p path pre rect section small span "
    "strong style summary svg table tbody td text tfoot th thead title tr ul clipPath defs circle "
    "line marker polyline polygon use tspan desc hr dfn abbr time"
)
_ATTRIBUTE_NAMES = (
    "aria-current aria-hidden aria-label aria-labelledby autocomplete charset class clip-path "
    "colspan content cx cy d datetime dir fill for height href http-equiv id lang marker-end "
    "markerHeight markerUnits markerWidth name open orient points property r refX refY rel role "
    "rowspan rx ry scope stroke stroke-width style text-anchor title "
    "transform type version viewBox width x x1 x2 xmlns xmlns:xlink y y1 y2 preserveAspectRatio"
)
_TAGS = frozenset(_TAG_NAMES.split())
_ATTRIBUTES = frozenset(_ATTRIBUTE_NAMES.split())
_TAG = re.compile(
    r"<(?:!DOCTYPE html|/(?P<end>[A-Za-z0-9]+)|(?P<tag>[A-Za-z0-9]+)"
    r"(?P<attributes>(?:\s+[A-Za-z][A-Za-z0-9:-]*(?:=\"[^\"<>]*\")?)*)\s*/?)>"
)
_PLAIN_NAMES = "|".join(sorted(_TAGS - {"meta", "style"}))
_PLAIN = re.compile(
    rf"(?:[^<]+|</(?:{_PLAIN_NAMES})>|<(?:{_PLAIN_NAMES})(?: class=\"[a-z0-9 -]*\")?>){{1,1000}}"
)
"""Matches text and tags without attributes or with only a class. These are most of a page, and
harmless. The number of repetitions is limited, because the matcher stores each one."""
_ATTRIBUTE = re.compile(r"([A-Za-z][A-Za-z0-9:-]*)(?:=\"([^\"<>]*)\")?")
_ADDRESS = re.compile(r"https?://[^\s]+|[^:\s]*")
_STYLE = re.compile(
    r"@import|expression\s*\(|javascript:|url\((?!#[0-9A-Za-z_-]+\))", re.IGNORECASE
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PNG = b"\x89PNG\r\n\x1a\n"


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per file that is not an expected document, or that could run code."""
    paths = [path for member in DOCUMENTS.all().values() for path in member.PATHS]
    for file in release.manifest.files:
        if file.table is not None:
            continue
        if not any(
            file.path == document_path or file.path.startswith(f"{document_path}/")
            for document_path in paths
        ):
            yield f"{file.path}: is neither a table nor a document that a release can have"
            continue
        check = partial(_document_findings, release, file.path)
        yield from unless_passed(check_key("grammar", file.path, file.sha256), check)


def _document_findings(release: GateView, name: str) -> Iterator[str]:
    fault = document_fault(name, release.folder / name)
    if fault is not None:
        yield f"{name}: {fault}"


def document_fault(name: str, path: Path) -> str | None:
    """Return why a file may not be a document of a release, or None if it may."""
    content = path.read_bytes()
    kind = name.rpartition(".")[2]
    if kind == "png":
        return None if content.startswith(_PNG) else "is not a PNG image"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "is not UTF-8 text"
    if kind in {"html", "svg"}:
        return _markup_fault(text, policies=kind == "html")
    if kind == "json":
        return _json_fault(content)
    return None if kind in {"md", "cff"} else "has a file type that no document has"


def _json_fault(content: bytes) -> str | None:
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        return f"is not valid JSON: {error}"
    return None


def _markup_fault(text: str, *, policies: int) -> str | None:
    at = 0
    while (at := _after_plain(text, at)) < len(text):
        match = _TAG.match(text, at)
        if match is None or (match["tag"] or match["end"] or "html") not in _TAGS:
            return f"line {_line(text, at)} contains a tag that pages of benchloom do not have"
        if match["attributes"]:
            pairs = _ATTRIBUTE.findall(match["attributes"])
            attributes = {attribute: html.unescape(value) for attribute, value in pairs}
            fault = _attribute_fault(match["tag"], attributes)
            if fault is not None:
                return f"line {_line(text, at)} contains {fault}"
            policies -= "http-equiv" in attributes
        at = match.end()
        if match["tag"] == "style" and _STYLE.search(text, at, max(text.find("<", at), at)):
            return f"line {_line(text, at)} contains a style that loads a file or runs code"
    return None if policies == 0 else "the page does not have exactly one content security policy"


def _after_plain(text: str, at: int) -> int:
    while (plain := _PLAIN.match(text, at)) is not None:
        at = plain.end()
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _attribute_fault(tag: str, attributes: dict[str, str]) -> str | None:
    for attribute, value in attributes.items():
        if attribute not in _ATTRIBUTES and not attribute.startswith("data-"):
            return f"an attribute '{attribute}' that pages of benchloom do not have"
        if attribute == "href" and not _ADDRESS.fullmatch(value):
            return "a link that is not a web address"
        if attribute in {"style", "clip-path"} and _STYLE.search(value):
            return "a style that loads a file or runs code"
    if "http-equiv" in attributes:
        is_policy = attributes["http-equiv"] == "Content-Security-Policy"
        if tag != "meta" or not is_policy or attributes.get("content") != _POLICY:
            return "a content security policy that pages of benchloom do not have"
    return None
