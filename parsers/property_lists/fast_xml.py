"""Read ordinary XML property lists with one regular expression, faster than plistlib.

This reader is three times as fast as plistlib and reads the output of every known writer.
Anything else (comments, CDATA, attributes, numeric entities, partial dates, missing keys,
unknown elements) raises `UnusualError`, and the caller uses plistlib, which remains the
authority on the meaning of a file. See docs/decisions/0003.
"""

import binascii
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from parsers.errors import UnusualError

_HEAD = re.compile(
    r"\s*(?:<\?xml(?:\s+[a-z]+=(?:\"[\w.\-]*\"|'[\w.\-]*'))*\s*\?>\s*)?"
    r"(?:<!DOCTYPE plist[^>\[]*>\s*)?<plist(?:\s+version=\"[\d.]*\")?>"
)
_ENCODING = re.compile(r"encoding=[\"'](?!utf-?8[\"'])", re.IGNORECASE)
_TOKEN = re.compile(
    r"\s*(?:<key>([^<]+)</key>\s*)?(?:<(string|integer|real|data|date)>([^<]*)</\2>"
    r"|<(/?(?:dict|array|plist)|(?:true|false|dict|array|string|data)/)>|(\S(?s:.*)))"
)
"""A key and its value are one token, which halves the number of tokens. Empty keys are not
ordinary."""
_ENTITY = re.compile("&([^;&]{0,8};?)")
_ENTITIES = {"amp;": "&", "lt;": "<", "gt;": ">", "quot;": '"', "apos;": "'"}


def read_ordinary_xml(data: bytes) -> object:
    """Return the root of an ordinary XML property list; raise UnusualError for any other."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnusualError from error
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    head = _HEAD.match(text)
    if head is None or _ENCODING.search(head[0]):
        raise UnusualError
    # Without trailing blanks every match succeeds; the last group takes all other text.
    tokens = _TOKEN.findall(text.rstrip(), head.end())
    try:
        return _build(tokens, entities="&" in text)
    except (AttributeError, TypeError) as error:
        raise UnusualError from error


def _build(tokens: list[tuple[str, str, str, str, str]], *, entities: bool) -> object:
    # One loop without calls per token: reading XML spends most of its time here. Misplaced keys are
    # not checked separately: adding a key to a list, or appending to a mapping, fails anyway.
    root: list[object] = []
    open_containers: list[Any] = []
    container: Any = root
    closed = False
    for key, leaf, text, tag, other in tokens:
        value: object
        if leaf:
            if entities and "&" in text:
                text = _ENTITY.sub(_entity, text)  # noqa: PLW2901  the text without entities
            value = text if leaf == "string" else _value(leaf, text)
        elif tag == "dict":
            value = {}
        elif tag == "array":
            value = []
        elif key and tag not in _EMPTY:
            raise UnusualError
        elif tag in _CLOSING:
            if not open_containers or not isinstance(container, _CLOSING[tag]):
                raise UnusualError
            container = open_containers.pop()
            continue
        elif tag in _EMPTY:
            value = _EMPTY[tag]()
        elif tag == "/plist":
            closed = True
            continue
        else:
            raise UnusualError(other[:20])
        if not key:
            container.append(value)
        elif entities and "&" in key:
            container[_ENTITY.sub(_entity, key)] = value
        else:
            container[key] = value
        if tag == "dict" or tag == "array":  # noqa: PLR1714  two comparisons beat a set here
            open_containers.append(container)
            container = value
    if not closed or open_containers or len(root) != 1:
        raise UnusualError
    return root[0]


_MAX_DIGITS = 38

_CLOSING: dict[str, type[object]] = {"/dict": dict, "/array": list}
_EMPTY: dict[str, Callable[[], object]] = {
    "true/": lambda: True,
    "false/": lambda: False,
    "dict/": dict,
    "array/": list,
    "string/": str,
    "data/": bytes,
}


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name in _ENTITIES:
        return _ENTITIES[name]
    if name[:1] != "#" or name[-1:] != ";":
        raise UnusualError
    try:
        code = int(name[2:-1], 16) if name[1:2] == "x" else int(name[1:-1])
    except ValueError as error:
        raise UnusualError from error
    if code not in (9, 10, 13) and not (32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE):
        raise UnusualError
    return chr(code)


def _value(name: str, text: str) -> object:
    try:
        if name == "integer":
            return _integer(text)
        if name == "real":
            return float(text)
        if name == "data":
            return binascii.a2b_base64(text)
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")  # noqa: DTZ007  as plistlib does
    except ValueError as error:
        raise UnusualError from error


def _integer(text: str) -> int:
    # plistlib judges longer texts.
    if len(text) > _MAX_DIGITS:
        raise UnusualError
    return int(text)
