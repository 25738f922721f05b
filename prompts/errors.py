"""Define the errors of requests to language models; the tree shows what each of them stops.

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
    """The reply cannot become a row; the row is rejected with this `reason`."""


class EndpointError(RunError):
    """The endpoint refuses the whole run; repeating the request would not help."""


class UnstructuredEndpointError(Exception):
    """The endpoint has no structured outputs; the conversation must restart without them."""


class BudgetError(StoppedError):
    """The next request could exceed the spend limit; the log keeps every paid reply."""
