"""Choose the gold samples of the aspects (such as calls, responses) that predictions cover.

API-Bank has two aspects, calls and responses; predictions that contain only calls are scored
only on calls. If predictions are matched by order, the file must have one line for each sample,
or one line for each sample of the required aspects. If predictions are matched by id, an aspect
is left out if no prediction names one of its samples; in all other aspects every sample must
have a prediction.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import RunError
from benchloom.evaluate.answers import read_answers
from benchloom.evaluate.benchmark import Benchmark, Report, Sample, unreported

MAX_SAMPLES_HELD = 25_000  # samples in memory; 20,000 of API-Bank take 40 MiB


def chosen_samples(
    benchmark: Benchmark,
    gold: Path,
    predictions: Path,
    report: Report = unreported,
    *,
    split: str = "",
    by_order: bool = False,
) -> Iterator[Sample]:
    """Yield the gold samples, in order, of the aspects that a file of predictions covers.

    If the benchmark has optional aspects, the predictions are read a second time, and so is gold
    with more than 25,000 samples.

    Raises:
        RunError: gold or predictions cannot be read, or read twice; no sample is in `split`; or the
            number of lines fits no choice of aspects.
    """
    if (by_order or benchmark.optional) and not predictions.is_file():
        raise RunError(f"{predictions} is not a regular file; copy the predictions to a file")
    if not benchmark.optional:
        return of_split(benchmark.read_gold(gold, report), split)
    buffered_samples: list[Sample] = []
    first = of_split(benchmark.read_gold(gold, report), split)
    left_out = _left_out(
        benchmark, _keeping(first, buffered_samples), predictions, by_order=by_order
    )
    samples = (
        iter(buffered_samples) if buffered_samples else of_split(benchmark.read_gold(gold), split)
    )
    return (sample for sample in samples if sample.aspect not in left_out)


def of_split(samples: Iterator[Sample], split: str) -> Iterator[Sample]:
    """Yield the samples of a split; all samples if `split` is empty.

    Raises:
        RunError: no sample is in the split.
    """
    any_taken = False
    other_splits: set[str] = set()
    for sample in samples:
        if not split or sample.example.split == split:
            any_taken = True
            yield sample
        else:
            other_splits.add(sample.example.split or "(none)")
    if split and not any_taken:
        split_names = ", ".join(sorted(other_splits)) or "(none)"
        raise RunError(f"no sample of split '{split}'; the gold has: {split_names}")


def _keeping(samples: Iterator[Sample], buffered_samples: list[Sample]) -> Iterator[Sample]:
    for number, sample in enumerate(samples, 1):
        if number <= MAX_SAMPLES_HELD:
            buffered_samples.append(sample)
        elif buffered_samples:
            buffered_samples.clear()
        yield sample


def _left_out(
    benchmark: Benchmark, samples: Iterator[Sample], predictions: Path, *, by_order: bool
) -> frozenset[str]:
    lines = 0
    named: set[str] = set()
    for answer in read_answers(predictions):
        lines += 1
        if answer.sample_id is not None:
            named.add(answer.sample_id)
    sizes: Counter[str] = Counter()
    seen: set[str] = set()
    for sample in samples:
        sizes[sample.aspect] += 1
        if sample.sample_id in named:
            seen.add(sample.aspect)
    if not by_order:
        return frozenset(sizes.keys() - seen) if seen else frozenset()
    if lines in {0, sizes.total()}:
        return frozenset()
    needed = sum(size for aspect, size in sizes.items() if aspect not in benchmark.optional)
    if lines == needed:
        return benchmark.optional
    size_text = ", ".join(f"{size} of {aspect}" for aspect, size in sizes.items())
    raise RunError(
        f"{predictions}: {lines} predictions for {sizes.total()} samples ({size_text}); "
        "write one line per sample, or match lines by id without --by-order"
    )
