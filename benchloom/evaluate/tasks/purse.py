"""Approve each model request: check the budget, and stop the run if every request fails."""

from contextvars import ContextVar
from typing import Protocol


class Purse(Protocol):
    """Approves requests, or raises an error that ends the run."""

    async def reserve(self, prompt: str) -> int:
        """Approve a request that sends `prompt`, and return its number.

        Raises:
            StoppedError: the next request could cost more than the rest of the budget.
            RunError: too many requests failed in a row.
        """

    def settle(self, number: int, tokens_in: int, tokens_out: int) -> None:
        """Record the reply to a request; 0 tokens means that they were not reported."""

    def fail(self, number: int) -> None:
        """Record that a request got no reply."""


PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)
"""The purse of the run; None where inspect_ai runs by itself, with limits of its own."""
