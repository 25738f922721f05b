"""Creates the JSON schema of a typed reply, and parses replies strictly."""

from functools import cache
from typing import TypeVar

import msgspec

from prompts.errors import ReplyError

R = TypeVar("R", bound=msgspec.Struct)

MAX_REPLY_CHARS = 64_000
_FENCE = "```"


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

    A single code fence around the JSON is accepted, since models without structured outputs add
    a fence; nothing else is.

    Raises:
        ReplyError: unreadable_reply, with the position of the fault and never the content.
    """
    text = content.strip()
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyError("unreadable_reply", f"{len(text)} characters, limit {MAX_REPLY_CHARS}")
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        return msgspec.json.decode(text, type=reply)
    except UnicodeError:
        raise ReplyError("unreadable_reply", "the reply holds half a character") from None
    except RecursionError:
        raise ReplyError("unreadable_reply", "the reply nests too deeply") from None
    except msgspec.DecodeError as error:
        raise ReplyError("unreadable_reply", f"not a {reply.__name__}: {error}") from error
