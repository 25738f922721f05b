"""Build the sandboxed process's reply to a request to run calls."""

import json
import sys
from collections.abc import Mapping
from types import CodeType, TracebackType
from typing import Any, Self

from .audit_events import Watch
from .calls import CallError, Calls

MAX_REPLY = 1024 * 1024  # maximum bytes of a reply


class ErrorCapture:
    """A context manager that turns every exception of a call into an error in `reply`."""

    def __init__(self, calls: Calls, watch: Watch) -> None:
        self._calls = calls
        self._watch = watch
        self.reply: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.reply["ran"] = self._calls.ran
        if kind is None:
            return True
        word, message = "raised", kind.__name__[:100]
        if isinstance(error, ModuleNotFoundError | NameError) and isinstance(error.name, str):
            message = f"{message}: {error.name[:100]}"
        if isinstance(error, CallError):
            word, message = error.kind, error.message
        elif issubclass(kind, MemoryError):
            word = "memory"
        elif issubclass(kind, SystemExit):
            word = "exited"
        elif tried := self._watch.kind_of(error):
            word = tried
        elif self._calls.loading:
            word = "unloadable_function"
        self.reply.update(error=word, message=message)
        return True


def reply_of(request: Mapping[str, Any], codes: Mapping[str, CodeType | str]) -> bytes:
    """Run the calls of a request, and return a JSON reply with their result or error."""
    calls = Calls(request, codes)
    outcome = ErrorCapture(calls, Watch())
    with outcome:
        outcome.reply["value"] = calls.value()
    sys.setrecursionlimit(1000)
    return _encode(outcome.reply)


def _encode(reply: Mapping[str, Any]) -> bytes:
    try:
        content = json.dumps(reply, allow_nan=False).encode()
        if len(content) <= MAX_REPLY:
            return content
        why = f"the reply exceeds {MAX_REPLY} bytes"
    except (ValueError, TypeError, MemoryError, RecursionError):
        why = "the result cannot be written as text"
    return json.dumps({"ran": reply["ran"], "error": "too_large", "message": why}).encode()
