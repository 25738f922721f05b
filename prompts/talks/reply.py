"""Creates the JSON schema of a typed reply, and parses replies strictly."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TypeVar

import msgspec

from prompts.errors import ReplyError

R = TypeVar("R", bound=msgspec.Struct)

MAX_REPLY_CHARS = 64_000
_FENCE = "```"
_BEGIN_OF_THOUGHTS = "<think>"
_END_OF_THOUGHTS = "</think>"
_MAX_OBJECTS = 64
"""Beginnings of objects that are tried in one reply: each may be read to its end."""
_DECODER = json.JSONDecoder()


@cache
def reply_schema(reply: type[msgspec.Struct]) -> str:
    """Return the JSON schema of a reply in strict form: no references, every field required.

    Fields are in the order in which the record declares them, since a model writes them in that
    order: a field that the model must think about first must be declared first.
    """
    schema = msgspec.json.schema(reply)
    definitions = schema.get("$defs", {})
    strict = _strict({"$ref": schema["$ref"]}, definitions)
    return msgspec.json.encode(strict).decode()


def _strict(node: object, definitions: dict[str, object]) -> object:
    if isinstance(node, list):
        return [_strict(entry, definitions) for entry in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[str(node["$ref"]).rpartition("/")[2]], definitions)
    # Length and range keywords are not in every endpoint's subset; reading checks them.
    left_out = {"title", "default", "maxLength", "minLength", "maxItems", "minItems"}
    strict = {
        key: _strict(value, definitions) for key, value in node.items() if key not in left_out
    }
    if strict.get("type") == "object":
        properties = strict.get("properties")
        strict["required"] = list(properties) if isinstance(properties, dict) else []
        strict["additionalProperties"] = False
    return strict


def read_reply(reply: type[R], content: str) -> R:
    """Parse the content of a reply as the type `reply`; unknown keys are refused.

    Gateways and models without structured outputs put a block of thoughts, a code fence or
    prose around the JSON. It is read if only one object of the content fits the type.

    Raises:
        ReplyError: unreadable_reply, with the position of the fault and never the content.
    """
    text = content.strip()
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyError("unreadable_reply", f"{len(text)} characters, limit {MAX_REPLY_CHARS}")
    text = _without_thoughts(text)
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        try:
            return msgspec.json.decode(text, type=reply)
        except msgspec.DecodeError as error:
            return _only_object(reply, text, error)
    except UnicodeError:
        raise ReplyError(
            "unreadable_reply", "the reply contains half a character (a lone surrogate)"
        ) from None
    except RecursionError:
        raise ReplyError("unreadable_reply", "the reply nests too deeply") from None


def _without_thoughts(text: str) -> str:
    """Drop the thoughts that a reasoning model wrote before its reply."""
    if text.startswith(("{", _FENCE)):
        return text
    _, end, rest = text.partition(_END_OF_THOUGHTS)
    if text.startswith(_BEGIN_OF_THOUGHTS) and not end:
        return ""
    return rest.strip() if end else text


def _only_object(reply: type[R], text: str, fault: msgspec.DecodeError) -> R:
    """Return the only object in a text that fits the type; equal objects count as one.

    Raises:
        ReplyError: no object fits, or several do.
    """
    fitting: list[R] = []
    for piece in _objects(text):
        with suppress(msgspec.DecodeError):
            value = msgspec.json.decode(piece, type=reply)
            if value not in fitting:
                fitting.append(value)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ReplyError("unreadable_reply", f"{len(fitting)} different {reply.__name__} objects")
    raise ReplyError("unreadable_reply", f"not a {reply.__name__}: {fault}") from fault


def _objects(text: str) -> Iterator[str]:
    """Yield the JSON objects in a text, without those inside of others."""
    start = 0
    for _ in range(_MAX_OBJECTS):
        start = text.find("{", start)
        if start < 0:
            return
        try:
            _, end = _DECODER.raw_decode(text, start)
        except ValueError:
            start += 1
        else:
            yield text[start:end]
            start = end
