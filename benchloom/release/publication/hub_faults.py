"""Convert errors of the Hugging Face client to errors that do not contain the access token.

The client's errors contain the request, and so the token. Therefore the errors raised here have no
cause and no context.
"""

from collections.abc import Callable
from typing import TypeVar

from benchloom.core.errors import BenchloomError, RunError, StoppedError

T = TypeVar("T")

RESUME_HINT = "sent files remain on the Hub; publish again to send the rest"
_REFUSED = {
    401: "the Hub does not accept the token in HF_TOKEN (401)",
    403: "the token in HF_TOKEN lacks permission (403); use a token with write access",
    404: "the repository or file does not exist (404)",
    409: "another process is changing the repository (409); publish again",
    412: "the repository was changed during publishing (412); publish again",
}


class TokenError(RunError):
    """The Hub does not recognise the token in HF_TOKEN."""


def ask_hub(name: str, token: str, call: Callable[[], T]) -> T:
    """Make a call to the Hub's client and return its result. `name` is the address for messages.

    Raises TokenError or RunError if the Hub refuses the call, and StoppedError if it does not
    respond.
    """
    import httpx2
    from huggingface_hub.errors import EntryNotFoundError

    # The client wraps a failed upload in RuntimeError and refused content in ValueError.
    faults = (httpx2.HTTPError, httpx2.InvalidURL, EntryNotFoundError, ConnectionError)
    try:
        return call()
    except (*faults, RuntimeError, ValueError) as error:
        fault = _fault(name, token, error)
    raise fault


def _fault(name: str, token: str, error: BaseException) -> BenchloomError:
    while isinstance(error.__cause__, Exception) and not _status(error):
        error = error.__cause__
    status = _status(error)
    if status in _REFUSED:
        refused = TokenError if status == 401 else RunError
        return refused(f"{name}: {_REFUSED[status]}{_message(error, token)}")
    if status == 429 or status >= 500:
        return StoppedError(f"{name}: the Hub answers {status}; {RESUME_HINT}")
    if status:
        return RunError(f"{name}: the Hub answers {status}{_message(error, token)}")
    text = _scrub(str(error) or type(error).__name__, token)
    if isinstance(error, ValueError):
        return RunError(f"{name}: {text}")
    return StoppedError(f"{name}: {text}; {RESUME_HINT}")


def _status(error: BaseException) -> int:
    # Returns 0 if the Hub did not respond.
    return int(getattr(getattr(error, "response", None), "status_code", 0))


def _message(error: BaseException, token: str) -> str:
    messages = (
        getattr(exception, "server_message", None) for exception in (error, error.__cause__)
    )
    message = next(filter(None, messages), None)
    return f": {_scrub(str(message), token)}" if message else ""


def _scrub(text: str, token: str) -> str:
    return " ".join(text.replace(token, "[token]").split())[:300]
