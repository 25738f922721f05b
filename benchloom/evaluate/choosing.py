"""Which samples a file of predictions is about, where a benchmark asks for several kinds of thing.

API-Bank asks for calls and for responses, and who has only calls to show scores calls. In the order
of gold a file has a line for each sample, or for each sample that is not of an optional aspect.
With ids an aspect of which no sample is named is left out; of the others every sample is needed.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import RunError
from benchloom.evaluate.answers import read_answers
from benchloom.evaluate.benchmark import Benchmark, Sample

MOST_KEPT = 25_000
"""Samples that are kept; 20,000 of API-Bank take 40 MiB."""


def chosen_samples(benchmark: Benchmark, gold: Path, predictions: Path) -> Iterator[Sample]:
    """The samples of gold that a file of predictions is about, in the order of gold.

    Where the benchmark has optional aspects predictions are read once more, and so is gold of more
    than 25,000 samples.

    Raises:
        RunError: as reading gold and predictions; the lines fit no choice of aspects; or
            predictions that are to be read twice come through a pipe.
    """
    if not benchmark.optional:
        return benchmark.read_gold(gold)
    if not predictions.is_file():
        raise RunError(f"{predictions}: no regular file; predictions are read twice")
    kept: list[Sample] = []
    left_out = _left_out(benchmark, _keeping(benchmark.read_gold(gold), kept), predictions)
    samples = iter(kept) if kept else benchmark.read_gold(gold)
    return (one for one in samples if one.aspect not in left_out)


def _keeping(samples: Iterator[Sample], kept: list[Sample]) -> Iterator[Sample]:
    """The samples, kept on their way unless they are too many."""
    for number, one in enumerate(samples, 1):
        if number <= MOST_KEPT:
            kept.append(one)
        elif kept:
            kept.clear()
        yield one


def _left_out(benchmark: Benchmark, samples: Iterator[Sample], predictions: Path) -> frozenset[str]:
    lines = 0
    named: set[str] = set()
    for answer in read_answers(predictions):
        lines += 1
        if answer.sample_id is not None:
            named.add(answer.sample_id)
    sizes: Counter[str] = Counter()
    seen: set[str] = set()
    for one in samples:
        sizes[one.aspect] += 1
        if one.sample_id in named:
            seen.add(one.aspect)
    if named:
        return frozenset(sizes.keys() - seen) if seen else frozenset()
    if lines in {0, sizes.total()}:
        return frozenset()
    needed = sum(size for aspect, size in sizes.items() if aspect not in benchmark.optional)
    if lines == needed:
        return benchmark.optional
    shown = ", ".join(f"{size} of {aspect}" for aspect, size in sizes.items())
    raise RunError(f"{predictions}: {lines} predictions for {sizes.total()} samples ({shown})")
