"""This package contains conversations, which are generators that yield a step's requests.

A conversation yields requests, receives their answers, and returns its result. It never uses the
network. The same generator can therefore be answered from the completion log alone, by direct
calls, or by batches, and gives the same result in all three cases. The JSON schema in a request is
made from the type of the reply, and replies are parsed strictly.
"""

import json
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from typing import TypeVar

import msgspec

from prompts.errors import ReplyError
from prompts.exchange import Answer, Effort, Message, Parameters, Purpose, Repair, Request

R = TypeVar("R", bound=msgspec.Struct)

MAX_REPLY_CHARS = 64_000
_FENCE = "```"
_BEGIN_OF_THOUGHTS = "<think>"
_END_OF_THOUGHTS = "</think>"
_MAX_OBJECTS = 64
"""Maximum number of positions in a reply that are tried as the beginning of an object."""
_DECODER = json.JSONDecoder()


@cache
def reply_schema(reply: type[msgspec.Struct]) -> str:
    """Return the JSON schema of a reply in strict form: no references, every field required.

    Fields are in the order in which the record declares them, because a model writes them in that
    order: a field that the model must think about first must be declared first.
    """
    # The docstrings of reply types become descriptions in the schema: whoever rewords one changes
    # the prompt, and with it the digest of every logged request of the step.
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

    Gateways and models without structured outputs put a block of thoughts, a code fence or prose
    around the JSON. The reply is still read if exactly one object in the content fits the type.

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
    """Remove the thoughts that a reasoning model wrote before its reply."""
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
        message = f"the reply has {len(fitting)} different {reply.__name__} objects instead of one"
        raise ReplyError("unreadable_reply", message)
    raise ReplyError("unreadable_reply", f"not a {reply.__name__}: {fault}") from fault


def _objects(text: str) -> Iterator[str]:
    """Yield the JSON objects in a text, but not the objects inside other objects."""
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


T = TypeVar("T")
Conversation = Generator[Request, Answer, T]

_REPAIR = (
    "That reply could not be read: {fault}. Send the whole reply again as one JSON object that "
    "fits the schema below, with nothing before or after it.\n{schema}"
)
UNREADABLE = frozenset({"unreadable_reply", "truncated_reply"})
"""Reasons of replies in the requested form that cannot be read. They are requested once more."""
UNKNOWN_FORM = "unknown_form"
"""The reason of a reply in an unknown form, which is not requested again, because the endpoint
would send the same form."""
_MAX_FAULT_CHARS = 300
_MAX_QUOTED_CHARS = 2_000


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run's requests: model, sampling, and whether the endpoint accepts schemas.

    `reply_tokens` replaces the step's token limit of a reply; a reasoning model's thoughts count
    towards the limit. `request_fields` is a JSON object of further fields of every request. `turns`
    are messages that are added at the end of every request, and `purpose` is what the requests are
    for.
    """

    model: str
    temperature: float | None = None
    seed: int | None = None
    structured: bool = True
    reply_tokens: int | None = None
    reasoning_effort: Effort | None = None
    request_fields: str | None = None
    turns: tuple[Message, ...] = ()
    purpose: Purpose = "step"

    def request(
        self, messages: tuple[Message, ...], reply: type[msgspec.Struct], max_tokens: int
    ) -> Request:
        """Build a request whose reply must have the type `reply`.

        Without structured outputs, the prompt contains the reply's JSON schema.
        """
        schema = reply_schema(reply)
        messages = (*messages, *self.turns)
        if not self.structured:
            system_text = (
                f"{messages[0].content}\nReply with one JSON object of this schema:\n{schema}"
            )
            messages = (Message("system", system_text), *messages[1:])
        parameters = Parameters(
            max_tokens=self.reply_tokens or max_tokens,
            temperature=self.temperature,
            seed=self.seed,
            reply_name=reply.__name__,
            reply_schema=schema if self.structured else None,
            reasoning_effort=self.reasoning_effort or msgspec.UNSET,
            request_fields=self.request_fields or msgspec.UNSET,
        )
        return Request(self.model, messages, parameters, self.purpose)


def ask(
    asker: Asker, messages: tuple[Message, ...], reply: type[R], max_tokens: int
) -> Conversation[R]:
    """Ask for one typed reply; if the reply is cut or unreadable, ask once more.

    Raises:
        ReplyError: the reply was refused, or unreadable twice.
    """
    request = asker.request(messages, reply, max_tokens)
    answer = yield request
    try:
        return _read(reply, answer)
    except ReplyError as error:
        if error.reason not in UNREADABLE:
            raise
        repaired = yield _repair(request, answer, reply, error)
    return _read(reply, repaired)


def _read(reply: type[R], answer: Answer) -> R:
    status, content = answer.reply.status, answer.reply.content
    if status == "answered":
        return read_reply(reply, content)
    faults = {
        "truncated": ("truncated_reply", "the reply was cut at the token limit"),
        "too_long": ("context_too_long", "the prompt is longer than the model's context"),
        "unreadable": (UNKNOWN_FORM, content),
        "not_accepted": ("request_not_accepted", content),
    }
    usual = f"{status}_reply", f"the endpoint marked the reply as {status}"
    raise ReplyError(*faults.get(status, usual))


def _repair(request: Request, answer: Answer, reply: type[R], fault: ReplyError) -> Repair:
    """Build the second request after a reply that was cut or could not be read.

    The request allows more tokens if the reply was cut, and otherwise tells the model what was
    wrong.
    """
    parameters = request.parameters
    if answer.reply.status == "truncated":
        more = msgspec.structs.replace(parameters, max_tokens=2 * parameters.max_tokens)
        return Repair(request.model, request.messages, more, request.purpose)
    repair_text = _REPAIR.format(fault=fault.message[:_MAX_FAULT_CHARS], schema=reply_schema(reply))
    quoted = answer.reply.content[:_MAX_QUOTED_CHARS]
    messages = (*request.messages, Message("assistant", quoted), Message("user", repair_text))
    return Repair(request.model, messages, parameters, request.purpose)
