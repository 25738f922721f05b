"""Conversations: generators that yield a step's requests and never use the network.

A conversation yields requests, is sent answers, and returns its result. The same generator can
therefore be driven by the completion log alone, by direct calls, or by rounds of a batch, and
gives the same result in all three cases.
"""

from collections.abc import Generator
from typing import TypeVar

import msgspec

from prompts.errors import ReplyError
from prompts.exchange import Answer, Effort, Message, Parameters, Purpose, Repair, Request
from prompts.talks.reply import R, read_reply, reply_schema

T = TypeVar("T")
Conversation = Generator[Request, Answer, T]

_REPAIR = (
    "That reply could not be read: {fault}. Send the whole reply again as one JSON object that "
    "fits the schema below, with nothing before or after it.\n{schema}"
)
UNREADABLE = frozenset({"unreadable_reply", "truncated_reply"})
"""Why a reply that came as asked for cannot be used; it is asked for once more."""
UNKNOWN_FORM = "unknown_form"
"""Why a reply cannot be used that the endpoint would send in the same form again."""
_MAX_FAULT_CHARS = 300
_MAX_QUOTED_CHARS = 2_000


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """The request settings of a run: model, sampling, whether the endpoint takes schemas.

    `reply_tokens` replaces the step's limit of a reply; thoughts of a reasoning model count.
    `request_fields` is a JSON object of further fields of every request. `turns` are messages
    that follow those of every request, and `purpose` is what the requests are paid for.
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
    status = answer.reply.status
    if status == "answered":
        return read_reply(reply, answer.reply.content)
    if status == "truncated":
        raise ReplyError("truncated_reply", "the reply was cut at the token limit")
    if status == "too_long":
        raise ReplyError("context_too_long", "the prompt is longer than the model's context")
    if status == "unreadable":
        raise ReplyError(UNKNOWN_FORM, answer.reply.content)
    if status == "not_accepted":
        raise ReplyError("request_not_accepted", answer.reply.content)
    raise ReplyError(f"{status}_reply", f"the endpoint marked the reply as {status}")


def _repair(request: Request, answer: Answer, reply: type[R], fault: ReplyError) -> Repair:
    """Build the second request: more tokens for a cut reply, else the fault in the prompt."""
    parameters = request.parameters
    if answer.reply.status == "truncated":
        more = msgspec.structs.replace(parameters, max_tokens=2 * parameters.max_tokens)
        return Repair(request.model, request.messages, more, request.purpose)
    repair_text = _REPAIR.format(fault=fault.message[:_MAX_FAULT_CHARS], schema=reply_schema(reply))
    quoted = answer.reply.content[:_MAX_QUOTED_CHARS]
    messages = (*request.messages, Message("assistant", quoted), Message("user", repair_text))
    return Repair(request.model, messages, parameters, request.purpose)
