"""Reserve the cost of every request of a model run in a ledger before the request is sent."""

import asyncio

from prompts.endpoint.limits import DEFAULTS
from prompts.endpoint.usage import cached_among
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import Message, Parameters, Request
from prompts.ledger.budget import Governor
from prompts.ledger.store import Store


class LedgerPurse:
    """Reserves the maximum cost of each request in a ledger before the request is sent.

    `stopped` says why the run ended. If the remaining budget is too small, the purse waits for
    running requests, because most replies cost less than their maximum. A failed request counts at
    its maximum cost, because its reply may have been billed.
    """

    def __init__(self, store: Store, governor: Governor, model: str, max_tokens: int) -> None:
        self._store = store
        self._governor = governor
        self._model = model
        self._max_tokens = max_tokens
        self._open: dict[int, int] = {}
        self._settled = asyncio.Event()
        self._failed = 0
        self.stopped: BudgetError | EndpointError | None = None

    async def reserve(self, prompt: str) -> int:
        """Reserve the maximum cost of a request; return the request's number in the ledger.

        Raises:
            BudgetError: the budget is too small for the next request.
            EndpointError: too many requests failed in a row.
        """
        message = Message("user", prompt)
        parameters = Parameters(max_tokens=self._max_tokens)
        request = Request(self._model, (message,), parameters)
        while True:
            if self.stopped is not None:
                # A new error each time: a single one would collect the tracebacks of all samples.
                raise type(self.stopped)(str(self.stopped))
            try:
                number = self._governor.reserve(request)
            except BudgetError as error:  # its message names the option of `generate`
                if not self._open:
                    self.stopped = BudgetError(str(error).replace("--max-usd", "--budget"))
                    continue
                self._settled.clear()
                await self._settled.wait()
            else:
                break
        self._open[number] = self._governor.most_nano(request)
        await self._store.on_disk()
        return number

    def settle(self, number: int, tokens_in: int, tokens_out: int, tokens_cached: int) -> None:
        """Book the cost of a reply; a reply without token counts costs the reserved maximum."""
        most = self._open.pop(number)
        counted = tokens_in > 0 and tokens_out >= 0
        cached = cached_among(tokens_in, tokens_cached)
        cost = self._governor.cost_nano(tokens_in, tokens_out, cached) if counted else most
        self._governor.give_up(number, "answered", cost)
        self._failed = 0
        self._settled.set()

    def fail(self, number: int) -> None:
        """Book a request that got no reply, at its reserved maximum cost."""
        self._governor.give_up(number, "broken", self._open.pop(number))
        self._failed += 1
        if self._failed >= DEFAULTS.gives_up_after and self.stopped is None:
            self.stopped = EndpointError(
                f"{self._failed} requests in a row got no reply; check the endpoint"
            )
        self._settled.set()
