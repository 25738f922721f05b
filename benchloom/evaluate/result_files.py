"""Score a file of predictions, and write the result as `summary.json` and `samples.parquet`."""

from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.answers import Answer
from benchloom.evaluate.benchmark import Judged, Rules, Sample
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.content import SUMMARY
from benchloom.evaluate.sample_table import SAMPLES, TABLE, row_of
from benchloom.evaluate.scoring import OnJudged, Summary, evaluate
from benchloom.storage.inputs import refuse_missing
from benchloom.storage.tables import TableWriter
from benchloom.storage.workspace import write_json


def score_predictions(
    name: str,
    gold: Path,
    predictions: Path,
    rules: Rules,
    *,
    out: Path | None = None,
    model: str = "",
    seed: int = 0,
    functions: Path | None = None,
    partial: bool = False,
    by_order: bool = False,
    split: str = "",
    cost_usd: float | None = None,
) -> Summary:
    """Score a file of predictions, and write the result to the folder `out` if there is one.

    The summary is written last, so a folder with a summary is complete. `functions` is a folder or
    zip file of tools, for a benchmark that runs tools. With `partial`, samples without a prediction
    are left out. With `by_order`, predictions are matched with samples by order instead of by id.

    Raises RunError if the benchmark is unknown, the gold contains no sample of the benchmark, or
    the predictions cannot be matched with the gold.
    """
    benchmark = BENCHMARKS.find(name)
    for path in (gold, predictions):
        refuse_missing(path)
    canonical_name = BENCHMARKS.spelt(name)
    with ExitStack() as stack:
        scorer = stack.enter_context(benchmark.with_tools(functions)) if functions else benchmark
        listener = None
        if out is not None:
            (out / SUMMARY).unlink(missing_ok=True)
            listener = _writing(stack.enter_context(TableWriter(TABLE, out / SAMPLES)))
        summary = evaluate(
            canonical_name,
            scorer,
            gold,
            predictions,
            rules,
            seed=seed,
            on_judged=listener,
            partial=partial,
            by_order=by_order,
            split=split,
        )
    summary = replace(
        summary,
        model=model,
        cost_usd=cost_usd,
        gold=str(gold.absolute()),
        split=split,
        functions=str(functions.absolute()) if functions else "",
    )
    if out is not None:
        write_json(out / SUMMARY, summary)
    return summary


def _writing(table: TableWriter) -> OnJudged:
    def write_row(sample: Sample, answer: Answer, judged: Judged) -> None:
        output = msgspec.UNSET if answer.problem else answer.output
        table.add(row_of(sample, judged, output=output))

    return write_row
