"""Who is asked before a request is sent: a budget, and an end where every request fails."""

from contextvars import ContextVar
from typing import Protocol


class Purse(Protocol):
    """Lets requests through, or raises what ends the run."""

    async def reserve(self, prompt: str) -> int:
        """Let a request through that sends `prompt`; the number it has from now on.

        Raises:
            StoppedError: what comes next could cost more than is left.
            RunError: too many requests failed in a row.
        """

    def settle(self, number: int, tokens_in: int, tokens_out: int) -> None:
        """A reply came; 0 tokens were not reported."""

    def fail(self, number: int) -> None:
        """No reply came."""


PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)
"""The purse of the run; None where inspect_ai runs by itself, with limits of its own."""
