"""Errors that gateways send with status 200: a body with `error` in place of choices."""

import re

import msgspec

from prompts.endpoint.faults import RETRIED_STATUSES, Fault
from prompts.endpoint.usage import reported_tokens
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import FaultName

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


class _Error(msgspec.Struct, frozen=True):
    """An error as a gateway wrote it; its code is a name or the number of a status."""

    message: object = None
    type: object = None
    code: object = None
    param: object = None


class _ErrorBody(msgspec.Struct, frozen=True):
    error: _Error | str | None = None
    usage: msgspec.Raw = msgspec.Raw()


def fault_in_body(body: bytes) -> Fault | None:
    """Return the fault that a body without choices reports, None if it reports no error.

    The fault contains the tokens that the body says were used, none if it does not say so. An
    error of no known kind is not_accepted: its row is rejected without another attempt.

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
        raise BudgetError(f"the endpoint says the quota is used up ({fault_text})")
    if names & _RUN_ERRORS:
        raise EndpointError(
            f"{fault_text}; check --base-url, --model and the key in OPENAI_API_KEY"
        )
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
