"""Faults of the LLM side, named by what they stop.

BenchloomError
├── RejectedInputError
│   └── ReplyError        one row: the reply could not be used (reason, message)
├── RunError
│   └── EndpointError     the run: wrong key, unknown model, an address that is not an endpoint
└── StoppedError
    └── BudgetError       the run: the next request could exceed --max-usd
"""

from benchloom.core.errors import RejectedInputError, RunError, StoppedError


class ReplyError(RejectedInputError):
    """A reply that cannot become a row; `reason` is the value of `rejected.reason`."""


class EndpointError(RunError):
    """The endpoint refuses this run as a whole; repeating the request would not help."""


class UnstructuredEndpointError(Exception):
    """The endpoint has no structured outputs; the conversation starts again without them."""


class BudgetError(StoppedError):
    """The next request could exceed the hard cap; the log keeps every paid reply."""
