"""Name the faults of an attempt, and decide whether it is retried and what it costs.

name                retried   charged
rate_limited        yes       nothing; every request waits as long as the endpoint asks
server_error        yes       nothing
timeout, broken     yes       the reservation: the endpoint may have billed it
unreadable_body     yes       the reservation, as above
not_connected       yes       nothing
context, refusal    no        nothing; the row is rejected
key, model, quota   no        nothing; the run ends

An error in the body of a response with status 200 is named and retried like the same error with
another status, but the tokens that the body reports are charged.
"""

import re
import time
from email.utils import parsedate_to_datetime

import httpx2
import msgspec
import openai

from prompts.endpoint.usage import reported_tokens
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import FaultName

MAX_RETRY_AFTER = 600.0
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
RETRIED_STATUSES = frozenset({408, 409, 425})
MAX_MESSAGE_CHARS = 300
_RATE_LIMITS = frozenset(
    {"429", "rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests"}
)
_SERVER_ERRORS = frozenset(
    {
        "api_error",
        "engine_overloaded_error",
        "internal_error",
        "internal_server_error",
        "overloaded",
        "overloaded_error",
        "server_error",
        "service_unavailable",
        "unavailable",
    }
)
_RUN_ERRORS = frozenset(
    {"401", "402", "404", "authentication_error", "invalid_api_key", "model_not_found"}
)


class Fault(msgspec.Struct, frozen=True):
    """A failed attempt, with the endpoint's error and the delay in seconds that it requests.

    If `maybe_billed`, the whole reserved cost is charged. Otherwise only the cost of the reported
    tokens is charged.
    """

    name: FaultName
    message: str
    maybe_billed: bool = False
    retry_after: float | None = None
    code: str = ""
    parameter: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0


def fault_of(error: openai.APIError | TimeoutError) -> Fault:
    """Return the fault of an attempt that ended with this exception.

    Raises:
        EndpointError: the endpoint refuses the run as a whole.
        BudgetError: the account's quota is used up.
    """
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    sent = not isinstance(error.__cause__, _NOT_SENT)
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return Fault("timeout" if sent else "not_connected", "no reply in time", sent)
    message = f"connection: {type(error.__cause__).__name__}"
    return Fault("broken" if sent else "not_connected", message, sent)


def _status_fault(error: openai.APIStatusError) -> Fault:
    status = error.status_code
    code, parameter = error.code or "", error.param or ""
    fault_text = f"HTTP {status}: {' '.join(error.message.split())[:MAX_MESSAGE_CHARS]}"
    if isinstance(error, openai.RateLimitError):
        if code == "insufficient_quota":
            raise _quota_error(fault_text)
        wait = retry_after(error.response.headers)
        return Fault("rate_limited", fault_text, retry_after=wait)
    if status >= 500 or status in RETRIED_STATUSES:
        return Fault("server_error", fault_text, retry_after=retry_after(error.response.headers))
    if isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return Fault("not_accepted", fault_text, code=code, parameter=parameter)
    raise _refusal(fault_text)


def _quota_error(fault_text: str) -> BudgetError:
    return BudgetError(
        f"the quota of your account at the endpoint is used up ({fault_text}); raise it, then run "
        "again"
    )


def _refusal(fault_text: str) -> EndpointError:
    return EndpointError(
        f"the endpoint refused the run ({fault_text}); check --base-url, --model and the key in "
        "OPENAI_API_KEY"
    )


class _Error(msgspec.Struct, frozen=True):
    """An error in a response body, as gateways write it; its code is a name or an HTTP status."""

    message: object = None
    type: object = None
    code: object = None
    param: object = None


class _ErrorBody(msgspec.Struct, frozen=True):
    error: _Error | str | None = None
    usage: msgspec.Raw = msgspec.Raw()


def fault_in_body(body: bytes) -> Fault | None:
    """Return the fault that a body without choices reports, or None if it reports no error.

    The fault contains the token counts of the body, or 0 if it has none. An error of an unknown
    kind is not_accepted, so its row is rejected without another attempt.

    Raises:
        EndpointError: the endpoint refuses the run as a whole.
        BudgetError: the account's quota is used up.
    """
    try:
        reported = msgspec.json.decode(body, type=_ErrorBody)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not reported.error:
        return None
    error = _Error(reported.error) if isinstance(reported.error, str) else reported.error
    message = " ".join(str(error.message or error.code or "no message").split())
    fault_text = f"HTTP 200 with an error: {message[:MAX_MESSAGE_CHARS]}"
    names = {str(name).lower() for name in (error.code, error.type)}
    if "insufficient_quota" in names:
        raise _quota_error(fault_text)
    if names & _RUN_ERRORS:
        raise _refusal(fault_text)
    tokens_in, tokens_out, tokens_cached = reported_tokens(bytes(reported.usage))
    return Fault(
        _name(names),
        fault_text,
        code=str(error.code or ""),
        parameter=str(error.param or ""),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=tokens_cached,
    )


def _name(names: set[str]) -> FaultName:
    if names & _RATE_LIMITS:
        return "rate_limited"
    statuses = {int(name) for name in names if re.fullmatch(r"[0-9]{3}", name)}
    is_retried = any(500 <= status < 600 or status in RETRIED_STATUSES for status in statuses)
    return "server_error" if is_retried or names & _SERVER_ERRORS else "not_accepted"


def retry_after(headers: httpx2.Headers) -> float | None:
    """Return the delay in seconds that a response requests, at most ten minutes, or None.

    The header may contain milliseconds, seconds or a date.
    """
    milliseconds = headers.get("retry-after-ms", "")
    if milliseconds.replace(".", "", 1).isdigit():
        return min(float(milliseconds) / 1000, MAX_RETRY_AFTER)
    value = headers.get("retry-after", "").strip()
    if value.replace(".", "", 1).isdigit():
        return min(float(value), MAX_RETRY_AFTER)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except ValueError:
        return None
    return min(max(until - time.time(), 0.0), MAX_RETRY_AFTER)


def check_reachable(address: str) -> None:
    """Raise if no server responds at an address; any HTTP response is enough.

    Raises:
        EndpointError: no connection within ten seconds.
    """
    with openai.OpenAI(api_key="none", base_url=address, max_retries=0, timeout=10) as client:
        try:
            client.models.with_raw_response.list()
        except openai.APIConnectionError as error:
            if fault_of(error).name == "not_connected":
                why = error.__cause__ or error
                message = f"no server answers at {address} ({why})"
                raise EndpointError(f"{message}; start it, or correct the address") from error
        except openai.APIStatusError:
            pass
