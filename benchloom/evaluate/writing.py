"""A scoring as files: `summary.json` and `samples.parquet`."""

from contextlib import nullcontext
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.board.reading import SUMMARY
from benchloom.evaluate.sample_table import SampleTable
from benchloom.evaluate.scoring import Summary, evaluate
from benchloom.workspace import TemporaryFile, write_file

SAMPLES = "samples.parquet"


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
    cost_usd: float | None = None,
) -> Summary:
    """Score a file of predictions; with `out` the summary and the table of samples are kept there.

    The summary is written last: a folder that has one is whole. `functions` are tools that a
    benchmark can run; with `partial` samples that no prediction has the id of are left out.

    Raises:
        RunError: no such benchmark, nothing of it in the gold, or predictions that do not belong
            to it.
    """
    benchmark = BENCHMARKS.find(name)
    for one in (gold, predictions):
        if not one.exists():
            raise RunError(f"{one}: no such file or folder")
    known = name.replace("_", "-").replace(".", "-")
    with benchmark.with_tools(functions) if functions else nullcontext(benchmark) as scorer:
        if out is None:
            found = evaluate(known, scorer, gold, predictions, rules, seed=seed, partial=partial)
            return msgspec.structs.replace(found, model=model, cost_usd=cost_usd)
        out.mkdir(parents=True, exist_ok=True)
        (out / SUMMARY).unlink(missing_ok=True)
        part = TemporaryFile(out / SAMPLES)
        try:
            with SampleTable(part.path) as table:
                found = evaluate(
                    known,
                    scorer,
                    gold,
                    predictions,
                    rules,
                    seed=seed,
                    told=table.add,
                    partial=partial,
                )
            part.commit()
        except BaseException:
            part.discard()
            raise
    found = msgspec.structs.replace(found, model=model, cost_usd=cost_usd)
    content = msgspec.json.format(msgspec.json.encode(found), indent=1)
    write_file(out / SUMMARY, content + b"\n")
    return found
