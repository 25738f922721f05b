"""Run a model on a benchmark with inspect_ai, within a budget, and keep its predictions."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RunError, extra
from benchloom.core.records.values import Plain
from benchloom.evaluate.board.content import SUMMARY
from benchloom.evaluate.model_requests import Choice, requests_of
from benchloom.evaluate.pairs import MAX_PAIRS_LISTED, Unused
from benchloom.evaluate.protocol import TOOLS
from benchloom.evaluate.result_files import score_predictions
from benchloom.evaluate.sample_table import SAMPLES, TABLE
from benchloom.evaluate.scoring import Summary
from benchloom.evaluate.world_runs.figures import row_of_run, summary_of
from benchloom.evaluate.world_runs.selection import WORLDS, WorldChoice, chosen_tasks, damaged_tasks
from benchloom.storage.tables import TableWriter
from benchloom.storage.workspace import write_file
from flows.stages.spending import LedgerPurse
from prompts.endpoint.limits import DEFAULTS, named_address
from prompts.errors import BudgetError, EndpointError
from prompts.ledger.budget import Governor
from prompts.ledger.prices import PRICES, Price, load_price
from prompts.ledger.store import Store

if TYPE_CHECKING:
    from benchloom.evaluate.tasks.runs import Finished, Run

LEDGER = "spending.sqlite"
PREDICTIONS = "predictions.jsonl"
_OPENAI = "openai/"
_ENCODE = msgspec.json.Encoder().encode
_COMPATIBLE = "openai-api/openai/"
"""The provider of inspect_ai for chat-completion endpoints; it reads OPENAI_BASE_URL."""


class ModelRun(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a model run; `model` may omit the provider of the model.

    `choice` selects the samples, `budget` is the maximum cost in dollars, and `out` the folder of
    the results.
    """

    choice: Choice | WorldChoice
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
    """The result of a run, as `--json` prints it.

    `samples` is the number of chosen samples, `answered` the number of samples with a
    prediction. `usd` is the total cost in the ledger of the folder, null if the price is not
    known; `usd_per_right` is this cost divided by the number of completely right samples.
    `summary` is set once every sample is answered.
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
    epoch: int | msgspec.UnsetType = msgspec.UNSET


class _InspectTask(msgspec.Struct, frozen=True):
    """The inspect_ai task of a chosen benchmark or release, with its arguments and sample ids."""

    task: str
    arguments: dict[str, Plain]
    protocol: str
    samples: tuple[str, ...]
    epochs: int = 1


def run_model(model_run: ModelRun) -> RunSummary:
    """Run the model on every sample that has no answer yet, and score when all have one.

    Predictions are written even if the run fails or is stopped; `stopped` of the summary says
    whether the budget ended the run.

    Raises:
        RunError: the choice is impossible, the extra is missing, or samples remain without an
            answer.
        KeyboardInterrupt: the run was interrupted.
    """
    with extra("evaluate", "runs of models"):
        from benchloom.evaluate.tasks import runs
    request = _inspect_task(model_run.choice)
    model = with_provider(model_run.model, named_address(model_run.base_url))
    price = _price(model_run, model)
    model_run.out.mkdir(parents=True, exist_ok=True)
    with Store(model_run.out / LEDGER) as store, _endpoint(model, model_run.base_url):
        governor = Governor(store, f"run {model}", price, model_run.budget)
        purse = LedgerPurse(store, governor, model_run.model, model_run.max_tokens)
        ran = runs.run(_inspect_run(model_run, request, model, price), purse)
        spent = governor.spending()
    positions = {sample_id: number for number, sample_id in enumerate(request.samples)}
    finished_runs = sorted(
        runs.finished(ran.log),
        key=lambda finished_run: (positions[finished_run.sample_id], finished_run.epoch),
    )
    _write_predictions(model_run.out / PREDICTIONS, finished_runs, request.epochs)
    if ran.ended == "cancelled":
        raise KeyboardInterrupt
    summary = RunSummary(
        command="evaluate run",
        task=request.task.replace("_", "-"),
        model=model_run.model,
        protocol=request.protocol,
        out=str(model_run.out),
        log=str(ran.log),
        samples=len(request.samples) * request.epochs,
        answered=len(finished_runs),
        usd=None if price is None else spent.settled_usd + spent.open_usd,
    )
    if isinstance(purse.stopped, BudgetError):
        return msgspec.structs.replace(summary, stopped=str(purse.stopped))
    if summary.answered < summary.samples:
        missing = summary.samples - summary.answered
        why = " ".join((str(purse.stopped or "") or ran.error).split())[-300:]
        raise RunError(
            f"{missing} of {summary.samples} samples have no answer ({why}); "
            "the other answers are kept; run the same command again for the rest"
        )
    if isinstance(model_run.choice, WorldChoice):
        return _done(summary, _world_summary(summary, model_run, model_run.choice, finished_runs))
    return _done(summary, _score(summary, model_run, model_run.choice))


def _inspect_run(
    model_run: ModelRun, request: _InspectTask, model: str, price: Price | None
) -> "Run":
    from benchloom.evaluate.tasks import runs

    return runs.Run(
        task=request.task,
        arguments=request.arguments,
        model=model,
        out=model_run.out,
        prices=None if price is None else (price.input, price.output),
        connections=model_run.concurrency,
        tries=DEFAULTS.tries,
        timeout=model_run.timeout,
        max_tokens=model_run.max_tokens,
        temperature=model_run.temperature,
        display="rich" if model_run.display else "none",
    )


def _price(model_run: ModelRun, model: str) -> Price | None:
    """Return the price of a model, or None if it is unknown and there is no budget.

    Raises:
        RunError: the price is unknown, although there is a budget.
    """
    name = model.removeprefix(_COMPATIBLE).removeprefix(_OPENAI)
    price = load_price(name, model_run.prices)
    if price is None and model_run.budget is not None:
        raise RunError(
            f"--max-usd needs a price: {model_run.prices} lacks '{name}'; pass --prices FILE"
        )
    return price


def _write_predictions(path: Path, runs: "Sequence[Finished]", epochs: int) -> None:
    lines = (
        _Line(run.sample_id, run.output, run.epoch if epochs > 1 else msgspec.UNSET) for run in runs
    )
    write_file(path, b"".join(_ENCODE(line) + b"\n" for line in lines))


def _inspect_task(choice: Choice | WorldChoice) -> _InspectTask:
    """Return the task and the samples of a selected benchmark or release.

    Raises:
        RunError: the choice is impossible.
    """
    options = choice.as_plain()
    if isinstance(choice, WorldChoice):
        arguments = {"release": options.pop("gold"), **options}
        return _InspectTask(WORLDS, arguments, TOOLS, tuple(chosen_tasks(choice)), choice.epochs)
    chosen = requests_of(choice)
    task = str(options.pop("benchmark")).replace("-", "_")
    return _InspectTask(
        task, {"release": options.pop("gold"), **options}, chosen.variant, tuple(chosen.samples)
    )


def with_provider(name: str, address: str | None) -> str:
    """Return the name of a model with its provider.

    If there is an address, the whole name is the endpoint's own name of the model, even if it
    contains slashes.
    """
    if name.startswith((_OPENAI, _COMPATIBLE)):
        return name
    if address is not None:
        return _COMPATIBLE + name
    return name if "/" in name else _OPENAI + name


def _score(summary: RunSummary, model_run: ModelRun, choice: Choice) -> Summary:
    return score_predictions(
        choice.benchmark,
        Path(choice.gold),
        model_run.out / PREDICTIONS,
        choice.rules,
        out=model_run.out,
        model=model_run.model,
        partial=True,
        cost_usd=summary.usd,
    )


def _world_summary(
    summary: RunSummary,
    model_run: ModelRun,
    choice: WorldChoice,
    runs: "Sequence[Finished]",
) -> Summary:
    """Write the summary and the table of samples after runs in worlds; return the summary.

    The summary and the table have the same form as those of a benchmark.
    """
    tasks, damaged = chosen_tasks(choice), damaged_tasks(choice)
    counts: dict[str, list[Mapping[str, float]]] = {name: [] for name in tasks}
    (model_run.out / SUMMARY).unlink(missing_ok=True)
    with TableWriter(TABLE, model_run.out / SAMPLES) as table:
        for finished_run in runs:
            counts[finished_run.sample_id].append(finished_run.counts)
            epoch = finished_run.epoch if choice.epochs > 1 else 0
            table.add(
                row_of_run(
                    tasks[finished_run.sample_id],
                    finished_run.counts,
                    output=finished_run.output,
                    epoch=epoch,
                )
            )
    final_summary = msgspec.structs.replace(
        summary_of(tasks, counts, model=model_run.model, cost_usd=summary.usd),
        gold=str(Path(choice.gold).absolute()),
        split=choice.split,
        unused=Unused(gold_records=len(damaged), gold=tuple(damaged[:MAX_PAIRS_LISTED])),
    )
    content = msgspec.json.format(_ENCODE(final_summary), indent=1)
    write_file(model_run.out / SUMMARY, content + b"\n")
    return final_summary


def _done(summary: RunSummary, score_summary: Summary) -> RunSummary:
    right = score_summary.outcomes.get("right", 0)
    per_right = summary.usd / right if summary.usd is not None and right else None
    return msgspec.structs.replace(summary, summary=score_summary, usd_per_right=per_right)


@contextmanager
def _endpoint(model: str, base_url: str | None) -> Iterator[None]:
    """Set the environment variables from which inspect_ai's OpenAI provider reads address and key.

    Raises:
        EndpointError: the key for OpenAI itself is missing (other endpoints may need no key), or no
            server responds at the address.
    """
    if not model.startswith((_OPENAI, _COMPATIBLE)):
        yield
        return
    address, api_token = named_address(base_url), os.environ.get("OPENAI_API_KEY")
    if address is None and not api_token:
        raise EndpointError(
            "set OPENAI_API_KEY, or pass --base-url of an endpoint that needs no key"
        )
    if address is not None:
        from prompts.endpoint.faults import check_reachable  # the client is an extra

        check_reachable(address)
    changed = {"OPENAI_API_KEY": api_token or "none"} | (
        {"OPENAI_BASE_URL": address} if address else {}
    )
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
