"""A run of a model on a benchmark: asked by inspect_ai, paid from a ledger, kept as predictions."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.evaluate.asking import Choice, asking
from benchloom.evaluate.scoring import Summary
from benchloom.evaluate.writing import score_predictions
from benchloom.extras import extra
from benchloom.records.values import Plain
from benchloom.workspace import write_file
from prompts.endpoint.limits import DEFAULTS, named_address
from prompts.errors import BudgetError, EndpointError
from prompts.exchange import Message, Parameters, Request
from prompts.ledger.budget import Governor
from prompts.ledger.prices import PRICES, load_price
from prompts.ledger.store import Store

LEDGER = "spending.sqlite"
PREDICTIONS = "predictions.jsonl"
_OPENAI = "openai/"
_COMPATIBLE = "openai-api/openai/"
"""The provider of inspect_ai for whatever speaks chat completions; it reads OPENAI_BASE_URL."""


class ModelRun(msgspec.Struct, frozen=True, kw_only=True):
    """What to run, where, and for how much; `model` may lack its provider."""

    choice: Choice
    model: str
    out: Path
    base_url: str | None = None
    prices: Path = PRICES
    budget: float | None = None
    concurrency: int = DEFAULTS.concurrency
    timeout: float = DEFAULTS.timeout
    max_tokens: int = 1024
    temperature: float = 0.0
    display: bool = False


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run did; `--json` prints it.

    `samples` were chosen, `answered` have a prediction. `usd` is what the ledger of the folder has
    booked in all, null where the price is not known; `usd_per_right` divides it by the samples that
    are right in everything. `summary` is there once every sample is answered.
    """

    command: str
    task: str
    model: str
    protocol: str
    out: str
    log: str
    samples: int
    answered: int
    usd: float | None
    usd_per_right: float | None = None
    stopped: str | None = None
    summary: Summary | None = None


class _Line(msgspec.Struct, frozen=True):
    id: str
    output: Plain


class LedgerPurse:
    """Reserves the highest cost of a request before it is sent; `stopped` tells why it ended.

    Where the rest does not suffice it waits for what is in flight: most replies cost less than they
    could. A request that failed counts at its highest cost, for its reply may have been billed.
    """

    def __init__(self, store: Store, governor: Governor, wanted: ModelRun) -> None:
        self._store = store
        self._governor = governor
        self._wanted = wanted
        self._open: dict[int, int] = {}
        self._settled = asyncio.Event()
        self._failed = 0
        self.stopped: BudgetError | EndpointError | None = None

    async def reserve(self, prompt: str) -> int:
        """Let a request through; its number in the ledger.

        Raises:
            BudgetError: the budget does not suffice for what comes next.
            EndpointError: too many requests failed in a row.
        """
        message = Message("user", prompt)
        parameters = Parameters(max_tokens=self._wanted.max_tokens)
        request = Request(self._wanted.model, (message,), parameters)
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
        """A reply came; without reported tokens it counts at its highest cost."""
        most = self._open.pop(number)
        counted = tokens_in > 0 and tokens_out >= 0
        cost = self._governor.cost_nano(tokens_in, tokens_out) if counted else most
        self._governor.give_up(number, "answered", cost)
        self._failed = 0
        self._settled.set()

    def fail(self, number: int) -> None:
        """No reply came."""
        self._governor.give_up(number, "broken", self._open.pop(number))
        self._failed += 1
        if self._failed >= DEFAULTS.gives_up_after and self.stopped is None:
            self.stopped = EndpointError(f"{self._failed} requests in a row brought no reply")
        self._settled.set()


def run_model(wanted: ModelRun) -> RunSummary:
    """Ask about every sample that has no answer yet, and score once all have one.

    Predictions are written whatever ends the run; `stopped` of the summary tells that the budget
    did.

    Raises:
        RunError: the choice cannot be, the extra is missing, or samples remain without an answer.
        KeyboardInterrupt: the run was interrupted.
    """
    with extra("evaluate", "runs of models"):
        from benchloom.evaluate.tasks import running
    chosen = asking(wanted.choice)
    model = provided(wanted.model, named_address(wanted.base_url))
    name = model.removeprefix(_COMPATIBLE).removeprefix(_OPENAI)
    price = load_price(name, wanted.prices)
    if price is None and wanted.budget is not None:
        raise RunError(
            f"--budget needs a price: {wanted.prices} lacks '{name}'; give --prices FILE"
        )
    wanted.out.mkdir(parents=True, exist_ok=True)
    run = running.Run(
        choice=wanted.choice,
        model=model,
        out=wanted.out,
        prices=None if price is None else (price.input, price.output),
        connections=wanted.concurrency,
        tries=DEFAULTS.tries,
        timeout=wanted.timeout,
        max_tokens=wanted.max_tokens,
        temperature=wanted.temperature,
        display="rich" if wanted.display else "none",
    )
    with Store(wanted.out / LEDGER) as store, _endpoint(model, wanted.base_url):
        governor = Governor(store, f"run {model}", price, wanted.budget)
        purse = LedgerPurse(store, governor, wanted)
        ran = running.run(run, purse)
        spent = governor.spending()
    outputs = running.predictions(run, ran.log)
    lines = b"".join(
        msgspec.json.encode(_Line(ident, output)) + b"\n" for ident, output in outputs.items()
    )
    write_file(wanted.out / PREDICTIONS, lines)
    if ran.ended == "cancelled":
        raise KeyboardInterrupt
    summary = RunSummary(
        command="evaluate run",
        task=wanted.choice.benchmark,
        model=wanted.model,
        protocol=chosen.variant,
        out=str(wanted.out),
        log=str(ran.log),
        samples=len(chosen.samples),
        answered=len(outputs),
        usd=None if price is None else spent.settled_usd + spent.open_usd,
    )
    if isinstance(purse.stopped, BudgetError):
        return msgspec.structs.replace(summary, stopped=str(purse.stopped))
    if len(outputs) < len(chosen.samples):
        missing = len(chosen.samples) - len(outputs)
        why = " ".join((str(purse.stopped or "") or ran.error).split())[-300:]
        raise RunError(
            f"{missing} of {len(chosen.samples)} samples have no answer ({why}); "
            "what was answered is kept, run the same command again to ask for the rest"
        )
    return _scored(summary, wanted)


def provided(name: str, address: str | None) -> str:
    """The name of a model with its provider.

    Where an address is named a name is the endpoint's own, whatever slashes it has.
    """
    if name.startswith((_OPENAI, _COMPATIBLE)):
        return name
    if address is not None:
        return _COMPATIBLE + name
    return name if "/" in name else _OPENAI + name


def _scored(summary: RunSummary, wanted: ModelRun) -> RunSummary:
    choice = wanted.choice
    found = score_predictions(
        choice.benchmark,
        Path(choice.gold),
        wanted.out / PREDICTIONS,
        choice.rules,
        out=wanted.out,
        model=wanted.model,
        partial=True,
        cost_usd=summary.usd,
    )
    right = found.outcomes.get("right", 0)
    per_right = summary.usd / right if summary.usd is not None and right else None
    return msgspec.structs.replace(summary, summary=found, usd_per_right=per_right)


@contextmanager
def _endpoint(model: str, base_url: str | None) -> Iterator[None]:
    """The address and key where the provider `openai` looks for them.

    Raises:
        EndpointError: no key for OpenAI itself; endpoints of others may need none.
    """
    if not model.startswith((_OPENAI, _COMPATIBLE)):
        yield
        return
    address, key = named_address(base_url), os.environ.get("OPENAI_API_KEY")
    if address is None and not key:
        raise EndpointError("set OPENAI_API_KEY, or give --base-url of an endpoint without keys")
    changed = {"OPENAI_API_KEY": key or "none"} | ({"OPENAI_BASE_URL": address} if address else {})
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
