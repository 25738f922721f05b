"""Gate: a release has only its tables and our documents; documents contain no executable code.

Pages are compared with a strict grammar of the output of our templates, so the result does not
depend on how a browser would read other markup. Releases of earlier versions also contain
`catalogue/` (decision 0337), whose search is recognised by its digest.
"""

import hashlib
import html
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from benchloom.release.documents import DOCUMENTS
from benchloom.release.gates.rows import look_digest, unless_passed
from benchloom.release.gates.view import GateView
from benchloom.release.manifest import is_reproducible

_TAG_NAMES = (
    "a b body br caption code dd details div dl dt em figcaption figure footer g h1 h2 h3 h4 head "
    "header html input label li link main meta nav noscript ol p path pre rect section small span "
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
_PLAIN_NAMES = "|".join(sorted(_TAGS - {"link", "meta", "style"}))
_PLAIN = re.compile(
    rf"(?:[^<]+|</(?:{_PLAIN_NAMES})>|<(?:{_PLAIN_NAMES})(?: class=\"[a-z0-9 -]*\")?>){{1,1000}}"
)
"""Text, and tags with at most a class: most of a page, and always harmless.

The number is limited, because the matcher stores every repetition."""
_ATTRIBUTE = re.compile(r"([A-Za-z][A-Za-z0-9:-]*)(?:=\"([^\"<>]*)\")?")
_SCRIPT = re.compile(r'<script src="(?:\.\./)*search\.js"></script>')
_ADDRESS = re.compile(r"https?://[^\s]+|[^:\s]*")
_STYLE = re.compile(
    r"@import|expression\s*\(|javascript:|url\((?!#[0-9A-Za-z_-]+\))", re.IGNORECASE
)
_POLICIES = (
    "default-src 'none'; style-src 'unsafe-inline'",
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:",
)
_WORDS = re.compile(rb"benchloomFound\((?P<rows>[^<]*)\);\n", re.DOTALL)
_PNG = b"\x89PNG\r\n\x1a\n"
_FORMER = "catalogue"
_SEARCHES = {
    "0fa6c1b45902f56b5441d072ec461cf0dd968f85ab553efbf556fee7b5c96cf9",
    "3d473f9320c50818e580431a3fe0efd2bb3d887810267117098b99e81e072870",
    "5e7e4fc9dc13987cc505c161c098cf46db4ab65767a079dc44a1b65ffde4d40f",
}
"""SHA-256 of `catalogue/search.js` in releases of earlier versions."""


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per file that is not one of our documents or contains executable code."""
    paths = [path for member in DOCUMENTS.all().values() for path in member.PATHS]
    if not is_reproducible(release.manifest):
        paths.append(_FORMER)
    for file in release.manifest.files:
        if file.table is not None:
            continue
        if not any(
            file.path == document_path or file.path.startswith(f"{document_path}/")
            for document_path in paths
        ):
            yield f"{file.path}: not a document of a release"
            continue
        look = partial(_document_findings, release, file.path)
        yield from unless_passed(look_digest("grammar", file.path, file.sha256), look)


def _document_findings(release: GateView, name: str) -> Iterator[str]:
    fault = document_fault(name, release.folder / name)
    if fault is not None:
        yield f"{name}: {fault}"


def document_fault(name: str, path: Path) -> str | None:
    """Return why a file may not be in a release; None if it may."""
    content = path.read_bytes()
    kind = name.rpartition(".")[2]
    if kind == "png":
        return None if content.startswith(_PNG) else "not a PNG image"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "not UTF-8 text"
    if kind in {"html", "svg"}:
        return _markup_fault(name, text, policies=kind == "html")
    if kind == "js":
        return _script_fault(name, content)
    if kind == "css":
        return "a style that loads a file or runs code" if _STYLE.search(text) else None
    if kind == "json":
        return _json_fault(content)
    return None if kind in {"md", "cff"} else "a file type that no document has"


def _json_fault(content: bytes) -> str | None:
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        return f"not JSON: {error}"
    return None


def _script_fault(name: str, content: bytes) -> str | None:
    # Allowed are a catalogue's search and its words: arrays of texts and nothing else.
    if name == f"{_FORMER}/search.js":
        ours = hashlib.sha256(content).hexdigest() in _SEARCHES
        return None if ours else "a script that benchloom did not write"
    match = _WORDS.fullmatch(content)
    if match is None or not name.startswith(f"{_FORMER}/search/"):
        return "a script that benchloom did not write"
    try:
        msgspec.json.decode(match["rows"], type=list[tuple[str, str, str, str]])
    except (msgspec.DecodeError, RecursionError) as error:
        return f"not a valid search index: {error}"
    return None


def _markup_fault(name: str, text: str, *, policies: int) -> str | None:
    at = 0
    while (at := _after_plain(text, at)) < len(text):
        script = _SCRIPT.match(text, at)
        if script is not None and name.startswith(f"{_FORMER}/"):
            at = script.end()
            continue
        match = _TAG.match(text, at)
        if match is None or (match["tag"] or match["end"] or "html") not in _TAGS:
            return f"line {_line(text, at)}: a tag that pages of benchloom do not have"
        if match["attributes"]:
            pairs = _ATTRIBUTE.findall(match["attributes"])
            attributes = {attribute: html.unescape(value) for attribute, value in pairs}
            fault = _attribute_fault(match["tag"], attributes)
            if fault is not None:
                return f"line {_line(text, at)}: {fault}"
            policies -= "http-equiv" in attributes
        at = match.end()
        if match["tag"] == "style" and _STYLE.search(text, at, max(text.find("<", at), at)):
            return f"line {_line(text, at)}: a style that loads a file or runs code"
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
        if tag != "meta" or not is_policy or attributes.get("content") not in _POLICIES:
            return "the content security policy is not ours"
    if tag == "link":
        address = attributes.get("href", "")
        if attributes.get("rel") != "stylesheet" or ":" in address or "//" in address:
            return "a link that loads a file from elsewhere"
    return None
