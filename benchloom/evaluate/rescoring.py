"""Judge stored predictions again with the current scorer, for example after a fault was mended.

The stored folder remains unchanged, because new results are written to another folder. A sample
that the gold no longer contains is left out and counted. Outputs that could not be decoded in the
first scoring are judged as unreadable.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.content import SUMMARY, Scored
from benchloom.evaluate.sample_table import (
    SAMPLES,
    TABLE,
    SampleRow,
    StoredSample,
    read_samples,
    row_of,
    stores_outputs,
)
from benchloom.evaluate.scoring import Summary, Tally
from benchloom.evaluate.world_runs.figures import counts_of, row_of_run, summary_of
from benchloom.evaluate.world_runs.selection import WORLDS
from benchloom.storage.tables import TableWriter
from benchloom.storage.workspace import write_json
from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.scoring import read_run, score_of
from benchloom.worlds.runs.task_reader import read_tasks

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain
    from benchloom.evaluate.benchmark import Judged

_NEAR = 1e-9
_SCORE_AGAIN = "score the predictions again with 'benchloom evaluate ... --out'"
FOLDER = "rescored"  # folder for new results, beside the board


class Rescored(msgspec.Struct, frozen=True, kw_only=True):
    """A scoring before and after it was repeated.

    `missing` is the number of stored samples that the gold no longer contains.
    """

    before: Scored
    after: Scored
    missing: int

    def changed(self) -> dict[str, tuple[float | None, float | None]]:
        """Return a mapping from each metric that changed to its values before and after."""
        old, new = self.before.summary.metrics, self.after.summary.metrics
        names = dict.fromkeys((*old, *new))
        pairs = {name: (old.get(name), new.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if _differ(*pair)}


def _differ(old_value: float | None, other: float | None) -> bool:
    if old_value is None or other is None:
        return old_value is not other
    return abs(old_value - other) > _NEAR


def rescore(scored: Scored, out: Path, samples: Sequence[StoredSample] | None = None) -> Rescored:
    """Judge the stored predictions of a scoring again, and write the results into the folder `out`.

    `samples` are the stored samples of an inspect_ai log. Without `samples`, the table of samples
    in the scoring's folder is read.

    Raises RunError if no predictions are stored, or the gold or tools of the scoring are missing.
    """
    if samples is None:
        if not stores_outputs(scored.folder):
            raise RunError(f"{scored.folder}: {SAMPLES} contains no predictions; {_SCORE_AGAIN}")
        samples = tuple(read_samples(scored.folder))
    if not scored.summary.gold:
        raise RunError(f"{scored.folder}: the scoring does not record its gold; {_SCORE_AGAIN}")
    gold = Path(scored.summary.gold)
    for name, path in (("gold", gold), ("functions", Path(scored.summary.functions or "."))):
        if not path.exists():
            raise RunError(
                f"{scored.folder}: {name} {path} is missing; restore it, or {_SCORE_AGAIN}"
            )
    out.mkdir(parents=True, exist_ok=True)
    # A summary marks a complete folder, so an old one must not survive an interrupted run.
    (out / SUMMARY).unlink(missing_ok=True)
    again = _world if scored.summary.benchmark == WORLDS else _benchmark
    with TableWriter(TABLE, out / SAMPLES) as table:
        summary, missing = again(scored, gold, samples, table.add)
    before = scored.summary
    summary = replace(
        summary,
        model=before.model,
        cost_usd=before.cost_usd,
        match=before.match,
        unused=before.unused,
        gold=before.gold,
        split=before.split,
        functions=before.functions,
    )
    write_json(out / SUMMARY, summary)
    return Rescored(before=scored, after=Scored(scored.name, out, summary), missing=missing)


def _benchmark(
    scored: Scored, gold: Path, samples: Sequence[StoredSample], add: Callable[[SampleRow], None]
) -> tuple[Summary, int]:
    benchmark, rules = BENCHMARKS.find(scored.summary.benchmark), scored.summary.rules
    stored = {stored_sample.sample_id: stored_sample for stored_sample in samples}
    functions = scored.summary.functions
    tally = Tally()
    with benchmark.with_tools(Path(functions)) if functions else nullcontext(benchmark) as scorer:
        for sample in scorer.read_gold(gold):
            stored_sample = stored.pop(sample.sample_id, None)
            if stored_sample is None:
                continue
            output = _output(stored_sample)
            judged: Judged
            if isinstance(output, msgspec.UnsetType):
                judged = scorer.judge_unreadable(sample, rules)
            else:
                judged = scorer.judge(sample, output, rules)
            tally.add(sample, judged)
            add(row_of(sample, judged, output=output))
    if not tally.samples:
        raise RunError(
            f"{gold} contains none of the samples of {scored.folder}; pass the gold of that scoring"
        )
    name, seed = scored.summary.benchmark, scored.summary.seed
    return tally.summary(name, rules, benchmark.metrics(rules), seed), len(stored)


def _output(stored: StoredSample) -> "Plain | msgspec.UnsetType":
    if stored.output is None:
        return msgspec.UNSET
    try:
        output: Plain = msgspec.json.decode(stored.output)
    except (msgspec.DecodeError, RecursionError):
        return msgspec.UNSET
    return output


def _world(
    scored: Scored, gold: Path, samples: Sequence[StoredSample], add: Callable[[SampleRow], None]
) -> tuple[Summary, int]:
    tasks = {gold_task.task_id: gold_task for gold_task in read_tasks(gold, lambda *_: None)}
    counts: dict[str, list[Mapping[str, float]]] = {}
    missing = 0
    for stored_sample in samples:
        task, output = tasks.get(stored_sample.sample_id), _output(stored_sample)
        if task is None or isinstance(output, msgspec.UnsetType):
            missing += 1
            continue
        own = counts_of(score_of(task, offer_of_task(task).world, read_run(output)))
        counts.setdefault(stored_sample.sample_id, []).append(own)
        add(row_of_run(task, own, output=output, epoch=stored_sample.epoch))
    if not counts:
        raise RunError(
            f"{gold} contains none of the tasks of {scored.folder}; pass the tasks of that run"
        )
    chosen = {name: tasks[name] for name in counts}
    return summary_of(chosen, counts, seed=scored.summary.seed), missing
