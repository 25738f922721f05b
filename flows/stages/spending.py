"""The purse of a model run: a ledger that reserves the cost of every request before sending."""

import asyncio

from prompts.endpoint.limits import DEFAULTS
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import Message, Parameters, Request
from prompts.ledger.budget import Governor
from prompts.ledger.store import Store


class LedgerPurse:
    """Reserves the highest cost of a request before it is sent; `stopped` says why it ended.

    If the rest of the budget does not suffice, it waits for running requests: most replies cost
    less than they could. A failed request counts at its highest cost, for its reply may have
    been billed.
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
        """Reserve a request's highest cost; return its number in the ledger.

        Raises:
            BudgetError: the budget does not suffice for what comes next.
            EndpointError: too many requests failed in a row.
        """
        message = Message("user", prompt)
        parameters = Parameters(max_tokens=self._max_tokens)
        request = Request(self._model, (message,), parameters)
        while True:
            if self.stopped is not None:
                # A new one each time: the same would gather the traces of all samples.
                raise type(self.stopped)(str(self.stopped))
            try:
                number = self._governor.reserve(request)
            except BudgetError as error:  # of the ledger, which speaks of the option of `generate`
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

    def settle(self, number: int, tokens_in: int, tokens_out: int) -> None:
        """Book the cost of a reply; without reported tokens it counts at its highest cost."""
        most = self._open.pop(number)
        counted = tokens_in > 0 and tokens_out >= 0
        cost = self._governor.cost_nano(tokens_in, tokens_out) if counted else most
        self._governor.give_up(number, "answered", cost)
        self._failed = 0
        self._settled.set()

    def fail(self, number: int) -> None:
        """Book a request that got no reply."""
        self._governor.give_up(number, "broken", self._open.pop(number))
        self._failed += 1
        if self._failed >= DEFAULTS.gives_up_after and self.stopped is None:
            self.stopped = EndpointError(f"{self._failed} requests in a row brought no reply")
        self._settled.set()
