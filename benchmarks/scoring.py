"""This benchmark measures `benchloom evaluate`, with 10,000 predictions for each benchmark.

The gold is a release of invented plans and shortcuts, and every prediction is the gold answer. Each
scoring runs in a separate process, which reads the gold, judges every prediction, computes the
confidence intervals and writes the table of samples.
"""

import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

import msgspec

from benchloom.core.records import Shortcut
from benchloom.evaluate.audit.mutation import requested_calls
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.result_files import score_predictions
from benchmarks._processor import apart, peak_mib, print_json
from tests.support.samples.plan_release import plan_release, plans
from tests.support.samples.shortcuts import action, argument, shortcut

PREDICTIONS = 10_000
_PER_SHORTCUT = 2


def ratios() -> list[tuple[str, float, str]]:
    """Return the time and memory of scoring each benchmark.

    A third figure is the time relative to that for a quarter of the predictions.
    """
    figures: list[tuple[str, float, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        large = _world(Path(scratch) / "large", PREDICTIONS)
        small = _world(Path(scratch) / "small", PREDICTIONS // 4)
        for name in BENCHMARKS.names():
            words = ("benchmarks.scoring", name)
            seconds, peak = apart(tuple[float, float], *words, large)
            fewer, _ = apart(tuple[float, float], *words, small)
            figures += [
                (f"{name}, {PREDICTIONS} predictions, seconds", seconds, "< 10"),
                (f"{name}, peak memory, MiB", peak, "< 300"),
                (f"{name}, time for 4 times the predictions, ratio", seconds / fewer, "<= 4"),
            ]
    return figures


def _world(folder: Path, size: int) -> Path:
    """Write a release with `size` plans and `size` actions, and predictions for each benchmark."""
    rows = [_row(number) for number in range(size // _PER_SHORTCUT)]
    release = plan_release(folder / "release", list(plans(size)), shortcuts=rows)
    encoder = msgspec.json.Encoder()
    for name in BENCHMARKS.names():
        benchmark = BENCHMARKS.find(name)
        with (folder / f"{name}.jsonl").open("wb") as file:
            for sample in benchmark.read_gold(release):
                calls, first = requested_calls(sample)
                text = benchmark.text_of(sample, calls[first:])
                line = {"id": sample.sample_id, "output": text}
                file.write(encoder.encode(line) + b"\n")
    return folder


def _row(number: int) -> Shortcut:
    words = islice(cycle(("plums", "hens", "ferries")), number, number + 2)
    base_shortcut = shortcut(
        action(0, "showresult", argument("Text", f"{next(words)} {number}")),
        action(1, "notification", argument("Body", next(words))),
        length=2,
    )
    return msgspec.structs.replace(
        base_shortcut, shortcut_id=f"s{number}", level=2, evaluation=True
    )


def _score(name: str, folder: Path) -> float:
    start = time.process_time()
    scores = score_predictions(
        name, folder / "release", folder / f"{name}.jsonl", "right", out=folder / f"{name}-scores"
    )
    if set(scores.outcomes) != {"right"}:
        sys.exit(f"{name}: not all gold answers were scored as right: {scores.outcomes}")
    return time.process_time() - start


if __name__ == "__main__":
    taken = _score(sys.argv[1], Path(sys.argv[2]))
    print_json((taken, peak_mib()))
