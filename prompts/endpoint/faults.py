"""The faults of one attempt, derived from the client's exceptions, and their consequences.

name                retried   charged
rate_limited        yes       nothing; every request waits as long as the endpoint asks
server_error        yes       nothing
timeout, broken     yes       the reservation: the endpoint may have billed it
unreadable_body     yes       the reservation, as above
not_connected       yes       nothing
context, refusal    no        nothing; the row is rejected
key, model, quota   no        nothing; the run ends

An error in a body of status 200 is the same fault, charged at the tokens that its usage reports.
"""

import time
from email.utils import parsedate_to_datetime

import httpx2
import msgspec
import openai

from prompts.errors import BudgetError, EndpointError
from prompts.exchange import FaultName

MAX_RETRY_AFTER = 600.0
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
RETRIED_STATUSES = frozenset({408, 409, 425})


class Fault(msgspec.Struct, frozen=True):
    """A failed attempt: its name, the wait that the endpoint requests, and the possible charge.

    `maybe_billed` charges the whole reservation, otherwise the reported tokens are charged.
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
    """Return the fault of an attempt for an exception of the client.

    Raises:
        EndpointError: the endpoint refuses the run as a whole.
        BudgetError: the account's quota is used up.
    """
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        sent = not isinstance(error.__cause__, _NOT_SENT)
        return Fault("timeout" if sent else "not_connected", "no reply in time", sent)
    sent = not isinstance(error.__cause__, _NOT_SENT)
    name: FaultName = "broken" if sent else "not_connected"
    return Fault(name, f"connection: {type(error.__cause__).__name__}", sent)


def _status_fault(error: openai.APIStatusError) -> Fault:
    status = error.status_code
    code, parameter = error.code or "", error.param or ""
    fault_text = f"HTTP {status}: {' '.join(error.message.split())[:300]}"
    if isinstance(error, openai.RateLimitError):
        if code == "insufficient_quota":
            raise BudgetError(f"the endpoint says the quota is used up ({fault_text})")
        wait = retry_after(error.response.headers)
        return Fault("rate_limited", fault_text, retry_after=wait)
    if status >= 500 or status in RETRIED_STATUSES:
        return Fault("server_error", fault_text, retry_after=retry_after(error.response.headers))
    if isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return Fault("not_accepted", fault_text, code=code, parameter=parameter)
    raise EndpointError(f"{fault_text}; check --base-url, --model and the key in OPENAI_API_KEY")


def retry_after(headers: httpx2.Headers) -> float | None:
    """Return the requested wait in seconds, at most ten minutes.

    The header has milliseconds, seconds or a date.
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
    """Raise if no server responds at an address; any response is enough.

    Raises:
        EndpointError: no connection within ten seconds.
    """
    with openai.OpenAI(api_key="none", base_url=address, max_retries=0, timeout=10) as client:
        try:
            client.models.with_raw_response.list()
        except openai.APIConnectionError as error:
            if fault_of(error).name == "not_connected":
                why = error.__cause__ or error
                message = f"{address}: nothing answers there ({why})"
                raise EndpointError(f"{message}; start it, or correct the address") from error
        except openai.APIStatusError:
            pass
