"""Read logs of `inspect eval benchloom/...` as scorings whose outputs can be judged again."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmark import RULES, Rules
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.content import SUMMARY, Scored
from benchloom.evaluate.sample_table import StoredSample
from benchloom.evaluate.scoring import Summary
from benchloom.evaluate.tasks.runs import PACKAGE, finished
from benchloom.evaluate.world_runs.selection import WORLDS


class LoggedRun(msgspec.Struct, frozen=True):
    """The content of an inspect_ai log: its settings and metrics, and its finished samples."""

    scored: Scored
    samples: tuple[StoredSample, ...]


def logged_runs(folder: Path) -> Iterator[LoggedRun]:
    """Yield the content of each log in a folder and its subfolders, sorted by name.

    Logs of other packages, and logs in folders with a summary, are left out.

    Raises RunError if a log cannot be read.
    """
    for log in sorted(list_eval_logs(str(folder), formats=["eval"]), key=lambda log: log.name):
        path = Path(unquote(urlsplit(log.name).path))
        if (path.parent / SUMMARY).is_file():
            continue
        try:
            header = read_eval_log(log, header_only=True)
            if header.eval.task.startswith(f"{PACKAGE}/"):
                yield _run(path, header)
        except (OSError, ValueError, KeyError) as error:
            raise RunError(
                f"{path} cannot be read as a log of inspect_ai ({error}); move the file away"
            ) from error


def _run(path: Path, header: EvalLog) -> LoggedRun:
    arguments = header.eval.task_args
    task = header.eval.task.removeprefix(f"{PACKAGE}/").replace("_", "-")
    samples = tuple(
        StoredSample(
            sample_id=sample.sample_id,
            epoch=sample.epoch if (header.eval.config.epochs or 1) > 1 else 0,
            outcome="",
            counts=dict(sample.counts),
            output=msgspec.json.encode(sample.output).decode(),
        )
        for sample in finished(path)
    )
    summary = Summary(
        benchmark=task if task == WORLDS else BENCHMARKS.spelt(task),
        rules=_rules(arguments.get("rules")),
        samples=len(samples),
        metrics=_metrics(header),
        figures={},
        model=header.eval.model,
        gold=str(Path(arguments["release"]).absolute()),
        split=str(arguments.get("split", "")),
    )
    return LoggedRun(Scored(header.eval.model, path.parent, summary), samples)


def _rules(name: object) -> Rules:
    return next((rule_set for rule_set in RULES if rule_set == name), RULES[0])


def _metrics(header: EvalLog) -> dict[str, float]:
    scores = header.results.scores if header.results else []
    return {
        name: float(metric.value)
        for score in scores
        for name, metric in score.metrics.items()
        if not name.endswith(("_low", "_high"))
    }
