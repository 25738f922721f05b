"""Write requests and read replies in the JSON form of chat completions.

Direct requests and batches use the same form.
"""

import msgspec

from prompts.endpoint.faults import Fault, fault_in_body
from prompts.endpoint.usage import booked_tokens
from prompts.errors import ReplyError
from prompts.exchange import Dialect, Reply, Request, Status

_TEXT_PARTS = frozenset({"text", "output_text"})
_NO_COMPLETION = "not a chat completion"
_BROKEN = (msgspec.DecodeError, UnicodeError, RecursionError)


class _Part(msgspec.Struct, frozen=True):
    """One part of a reply's content; parts without text, such as thoughts, are ignored."""

    type: str = "text"
    text: str | None = None


class _Message(msgspec.Struct, frozen=True):
    content: str | tuple[_Part, ...] | None = None
    refusal: str | None = None

    def text(self) -> str:
        """Return the text of the reply, which the endpoint may send whole or in parts."""
        content = self.content
        if isinstance(content, tuple):
            content = "".join(part.text or "" for part in content if part.type in _TEXT_PARTS)
        return content or self.refusal or ""


class _Choice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _ChatBody(msgspec.Struct, frozen=True):
    """The body of a response; its choices are parsed later.

    Even if a choice has an unknown form, the reply was paid for, and its tokens must be booked.
    """

    choices: tuple[msgspec.Raw, ...] | None = None
    model: str | None = None
    usage: msgspec.Raw = msgspec.Raw()


def request_fields(request: Request, dialect: Dialect) -> dict[str, object]:
    """Return the fields of a request's JSON body, with only fields that the endpoint accepts."""
    parameters = request.parameters
    fields: dict[str, object] = {
        "model": request.model,
        "messages": request.messages,
        dialect.limit_field: parameters.max_tokens,
    }
    if parameters.temperature is not None and dialect.temperature:
        fields["temperature"] = parameters.temperature
    if parameters.seed is not None and dialect.seed:
        fields["seed"] = parameters.seed
    if parameters.reasoning_effort is not msgspec.UNSET:
        fields["reasoning_effort"] = parameters.reasoning_effort
    if parameters.request_fields is not msgspec.UNSET:
        fields |= msgspec.json.decode(parameters.request_fields, type=dict[str, object])
    if parameters.reply_schema is not None:
        schema = msgspec.Raw(parameters.reply_schema.encode())
        named = {"name": parameters.reply_name, "schema": schema, "strict": True}
        fields["response_format"] = {"json_schema": named, "type": "json_schema"}
    return fields


def read_body(body: bytes, request: Request) -> Reply | Fault:
    """Return the reply in a response body (without its price), or the fault that it reports.

    An absent or implausible token count is replaced by our own count. A reply in an unknown form,
    or without choices, has the status unreadable and is not requested again, because the endpoint
    would send the same form again.

    Raises:
        ReplyError: unreadable_body. The body is damaged; a retry may return a valid body.
        EndpointError, BudgetError: the body reports an error that ends the run.
    """
    why = "it has no choices"
    try:
        chat = msgspec.json.decode(body, type=_ChatBody)
    except _BROKEN as error:
        chat, why = _ChatBody(), str(error)
    if not chat.choices and (fault := fault_in_body(body)) is not None:
        return fault
    if chat.choices is None:
        raise ReplyError("unreadable_body", f"{_NO_COMPLETION}: {why}")
    status, content, text = _first_choice(chat.choices)
    tokens_in, tokens_out, tokens_cached = booked_tokens(bytes(chat.usage), request, text)
    return Reply(
        status,
        content,
        tokens_in,
        tokens_out,
        served_model=chat.model or "",
        tokens_cached=tokens_cached,
    )


def _first_choice(choices: tuple[msgspec.Raw, ...]) -> tuple[Status, str, str]:
    """Return the status and content of the first choice, and the text whose tokens are booked."""
    if not choices:
        return "unreadable", f"{_NO_COMPLETION}: it has no choices", ""
    raw = bytes(choices[0])
    try:
        choice = msgspec.json.decode(raw, type=_Choice)
    except msgspec.ValidationError as error:
        return "unreadable", f"{_NO_COMPLETION}: {error}", raw.decode(errors="replace")
    except _BROKEN as error:
        raise ReplyError("unreadable_body", f"{_NO_COMPLETION}: {error}") from error
    content = choice.message.text()
    return _status(choice), content, content


def _status(choice: _Choice) -> Status:
    if choice.finish_reason == "length":
        return "truncated"
    if choice.finish_reason == "content_filter":
        return "filtered"
    return "refused" if choice.message.refusal else "answered"


def is_context_fault(code: str, message: str) -> bool:
    """Whether an error 400 means that the prompt is too long for the model."""
    fault_text = message.lower()
    return code == "context_length_exceeded" or (
        "context" in fault_text
        and ("length" in fault_text or "exceed" in fault_text or "window" in fault_text)
    )


def other_dialect(message: str, parameter: str, dialect: Dialect) -> Dialect | None:
    """Return the dialect that an error 400 asks for, or None if the error has another cause.

    A dialect says which optional fields of the chat API an endpoint accepts.
    """
    fault_text = f"{parameter} {message}".lower()
    if dialect.structured and any(
        word in fault_text for word in ("response_format", "json_schema", "structured output")
    ):
        return msgspec.structs.replace(dialect, structured=False)
    if "max_completion_tokens" in fault_text and dialect.limit_field == "max_tokens":
        return msgspec.structs.replace(dialect, limit_field="max_completion_tokens")
    if dialect.temperature and "temperature" in fault_text:
        return msgspec.structs.replace(dialect, temperature=False)
    if dialect.seed and "seed" in fault_text:
        return msgspec.structs.replace(dialect, seed=False)
    return None
