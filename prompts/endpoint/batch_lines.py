"""Write the lines of a batch's request file, and read the lines of its result files."""

from collections.abc import Iterable
from typing import Literal

import httpx2
import msgspec

from benchloom.core.identity import hex_of
from prompts.endpoint.faults import Fault
from prompts.endpoint.wire import is_context_fault, read_body, request_fields
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import Dialect, Reply, Request

ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"


class _Line(msgspec.Struct, frozen=True):
    """One line of a batch's request file; `custom_id` identifies the request in the results."""

    custom_id: str
    body: dict[str, object]
    method: str = "POST"
    url: str = ENDPOINT


class _Response(msgspec.Struct, frozen=True):
    status_code: int
    body: msgspec.Raw = msgspec.Raw(b"{}")


class _LineFault(msgspec.Struct, frozen=True):
    code: str | None = None
    message: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """One line of a batch's output or error file: a response, or an error without a response."""

    custom_id: str
    response: _Response | None = None
    error: _LineFault | None = None


class _ErrorBody(msgspec.Struct, frozen=True):
    error: _LineFault = _LineFault()


def request_lines(requests: Iterable[tuple[str, Request]], dialect: Dialect) -> bytes:
    """Return the content of a batch's request file, with one JSON line per request.

    The hexadecimal digest of a request is its `custom_id`.
    """
    lines = [
        msgspec.json.encode(_Line(hex_of(digest), request_fields(request, dialect)))
        for digest, request in requests
    ]
    return b"\n".join(lines) + b"\n"


def read_outcomes(content: bytes) -> dict[str, Outcome]:
    """Return a mapping from the hexadecimal digest of each request to its line in a result file.

    A line that cannot be read is left out. Its request then has no outcome and counts as failed.
    """
    outcomes: dict[str, Outcome] = {}
    for line in content.splitlines():
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except msgspec.DecodeError:
            continue
        outcomes[outcome.custom_id] = outcome
    return outcomes


def reply_in(outcome: Outcome | None, request: Request, status: str) -> Reply:
    """Return the reply in an outcome, without its price.

    The status is not_accepted if the outcome is missing or is an error.

    Raises:
        ReplyError: unreadable_body. The request was answered and billed, but the amount is unknown.
    """
    if outcome is None or outcome.response is None:
        error_message = outcome.error.message if outcome and outcome.error else None
        return Reply("not_accepted", error_message or f"no reply in a batch that is {status}")
    if outcome.response.status_code != httpx2.codes.OK:
        fault = _fault_in(outcome.response.body)
        if is_context_fault(fault.code or "", fault.message or ""):
            return Reply("too_long", "")
        return Reply("not_accepted", f"HTTP {outcome.response.status_code}")
    try:
        reply = read_body(bytes(outcome.response.body), request)
    except (EndpointError, BudgetError) as error:
        # One line must not keep the other lines of a paid batch from being collected.
        return Reply("not_accepted", str(error))
    if not isinstance(reply, Fault):
        return reply
    if is_context_fault(reply.code, reply.message):
        return Reply("too_long", "", reply.tokens_in, reply.tokens_out)
    return Reply("not_accepted", reply.message, reply.tokens_in, reply.tokens_out)


def _fault_in(body: msgspec.Raw) -> _LineFault:
    try:
        return msgspec.json.decode(bytes(body), type=_ErrorBody).error
    except msgspec.DecodeError:
        return _LineFault()
