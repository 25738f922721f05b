"""Run an inspect_ai task with its log in a folder, or resume an interrupted run."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import inspect_ai
import msgspec
from inspect_ai.log import (
    EvalLog,
    RecoveryNotAvailable,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
    recover_eval_log,
)
from inspect_ai.model import ModelCost, ModelInfo, set_model_info

from benchloom.core.errors import RunError
from benchloom.core.records.values import Plain
from benchloom.evaluate.tasks.solver import MAX_TOKENS, OUTPUT, PURSE, Purse

PACKAGE = "benchloom"
Ended = Literal["success", "error", "cancelled", "started"]
_UNREAD = {"messages", "events", "events_data", "attachments", "store", "output"}
"""The fields of a logged sample that are not decoded, because nothing here uses them."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a model run with inspect_ai."""

    task: str  # name of a task in `benchloom.evaluate.tasks`
    arguments: dict[str, Plain]
    model: str  # inspect_ai's name of the model, with its provider
    out: Path
    prices: tuple[float, float] | None = None  # US dollars per million tokens in and out
    connections: int = 16  # maximum concurrent requests
    tries: int = 6  # maximum attempts per request
    timeout: float = 120.0  # maximum seconds per attempt
    max_tokens: int = MAX_TOKENS
    temperature: float = 0.0
    display: Literal["none", "plain", "rich"] = "none"


class Ran(msgspec.Struct, frozen=True):
    """The result of a run: its status, the path of its log, and the first error of a sample."""

    ended: Ended
    log: Path
    error: str = ""


def run(settings: Run, purse: Purse) -> Ran:
    """Send each sample to the model, except samples whose answers are in the log in the folder.

    Raises:
        RunError: the settings are not valid, or the folder contains another run.
        KeyboardInterrupt: the run was interrupted before it had a log.
    """
    if settings.prices is not None:
        into, back = settings.prices
        cost = ModelCost(input=into, output=back, input_cache_write=into, input_cache_read=into)
        set_model_info(settings.model, ModelInfo(cost=cost))
    best = _best_log(settings)
    if best is not None and best.status == "success":
        return _ran(best)
    token = PURSE.set(purse)
    try:
        logs = _start(settings) if best is None else _gone_on(settings, best)
    finally:
        PURSE.reset(token)
    if not logs:  # interrupted before the first log
        raise KeyboardInterrupt
    return _ran(logs[0])


class Finished(msgspec.Struct, frozen=True):
    """A finished sample: its id, epoch, output and counts."""

    sample_id: str
    epoch: int
    output: Plain
    counts: Mapping[str, float]


def finished(log: Path) -> Iterator[Finished]:
    """Yield the finished samples of a log, in the order of the log."""
    samples = read_eval_log_samples(str(log), all_samples_required=False, exclude_fields=_UNREAD)
    for sample in samples:
        if sample.error is None and sample.scores:
            (score,) = sample.scores.values()
            counts = {name: float(count) for name, count in score.value.items()}
            yield Finished(str(sample.id), sample.epoch, score.metadata[OUTPUT], counts)


def _options(settings: Run) -> dict[str, Any]:
    return {
        "log_dir": str(settings.out),
        "log_format": "eval",
        "display": settings.display,
        "fail_on_error": True,
        "continue_on_fail": True,
        "max_samples": settings.connections,
        "max_connections": settings.connections,
        "max_retries": settings.tries,
        "attempt_timeout": settings.timeout,
        "ctl_server": False,
    }


def _start(settings: Run) -> list[EvalLog]:
    logs: list[EvalLog] = inspect_ai.eval(
        _name(settings),
        model=settings.model,
        task_args=settings.arguments,
        **_options(settings),
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
    )
    return logs


def _gone_on(settings: Run, log: EvalLog) -> list[EvalLog]:
    try:
        logs: list[EvalLog] = inspect_ai.eval_retry(log, **_options(settings))
    except IndexError:  # `eval_retry` indexes the first log, but an interrupted run has none
        return []
    return logs


def _name(settings: Run) -> str:
    return f"{PACKAGE}/{settings.task}"


def _best_log(settings: Run) -> EvalLog | None:
    """Return the log with the most finished samples, or None if the folder contains no log.

    A successful log comes first; among equal logs, the newest is returned. Samples of an
    interrupted run are recovered if possible.

    Raises RunError if a log in the folder belongs to another run.
    """
    candidates: list[tuple[bool, int, str]] = []
    for log_file in list_eval_logs(str(settings.out), formats=["eval"], recursive=False):
        header = read_eval_log(log_file, header_only=True)
        _same(settings, header)
        if header.status == "started":
            with suppress(RecoveryNotAvailable):
                recover_eval_log(log_file.name, overwrite=True)
        summaries = read_eval_log_sample_summaries(log_file)
        done = sum(1 for each in summaries if each.scores and each.error is None)
        candidates.append((header.status == "success", done, log_file.name))
    return None if not candidates else read_eval_log(max(candidates)[2])


def _same(settings: Run, header: EvalLog) -> None:
    run_arguments = settings.arguments
    before = {**header.eval.task_args_passed}
    what = [
        name
        for name in run_arguments.keys() | before.keys()
        if run_arguments.get(name) != before.get(name)
    ]
    what += ["task"] if header.eval.task != _name(settings) else []
    what += ["model"] if header.eval.model != settings.model else []
    config = header.eval.model_generate_config
    if (config.max_tokens, config.temperature) != (settings.max_tokens, settings.temperature):
        what.append("max_tokens or temperature")
    if what:
        field_list = ", ".join(sorted(what))
        raise RunError(
            f"{settings.out} contains a run with other settings ({field_list}); "
            "choose another --out"
        )


def _ran(log: EvalLog) -> Ran:
    error_message = log.error.message if log.error else ""
    for sample in log.samples or ():
        if sample.error is not None:
            error_message = sample.error.message
            break
    return Ran(log.status, Path(unquote(urlsplit(log.location).path)), error_message)
