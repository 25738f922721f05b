"""Choose samples by split, at random, or by the kinds of output (aspects) that predictions cover.

API-Bank has two aspects, calls and responses; predictions that contain only calls are scored only
on calls. If predictions are matched by order, the file must have one line for each sample, or one
line for each sample of the required aspects. If predictions are matched by id, an aspect without
any prediction is left out; in all other aspects every sample must have a prediction.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import rank
from benchloom.core.records.values import Plain
from benchloom.evaluate.answers import Answer
from benchloom.evaluate.benchmark import Benchmark, Report, Sample, unreported

T = TypeVar("T")


class Selection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choice of samples for a model run, with the number of unneeded tools in their prompts."""

    gold: str  # a release, published files, or a table of tasks
    split: str = ""  # empty for all
    limit: int | None = None  # number of samples, drawn at random by `seed`; None for all
    seed: int = 0
    distractors: int | None = None

    def as_plain(self) -> dict[str, Plain]:
        """Return the selection as values that JSON can store, for logs."""
        return cast("dict[str, Plain]", msgspec.to_builtins(self))

    def drawn(self, samples: Sequence[T], id_of: Callable[[T], str]) -> Sequence[T]:
        """Return `limit` samples that are drawn at random with the seed, in their original order.

        Returns all samples if `limit` is None or at least their number.

        Raises RunError if the limit is below 1.
        """
        if self.limit is None or self.limit >= len(samples):
            return samples
        if self.limit < 1:
            raise RunError("the limit of a run must be at least 1")
        # The rank depends on seed and id only, so that a larger limit only adds samples.
        ids = sorted(map(id_of, samples), key=lambda sample_id: rank(self.seed, sample_id))
        chosen = set(ids[: self.limit])
        return [sample for sample in samples if id_of(sample) in chosen]


def chosen_samples(
    benchmark: Benchmark,
    gold: Path,
    answers: Sequence[Answer],
    report: Report = unreported,
    *,
    split: str = "",
    by_order: bool = False,
) -> Iterator[Sample]:
    """Yield the gold samples of the split `split` that the predictions `answers` cover, in order.

    In a benchmark that asks for several kinds of output (aspects), predictions may leave out an
    optional aspect. If the benchmark has optional aspects, all samples are held in memory.

    Raises RunError if gold cannot be read, no sample is in `split`, or predictions that are matched
    by order are neither as many as all samples nor as many as the samples without optional aspects.
    """
    samples = of_split(benchmark.read_gold(gold, report), split)
    if not benchmark.optional:
        return samples
    all_samples = list(samples)
    left_out = _left_out(benchmark, all_samples, answers, by_order=by_order)
    return (sample for sample in all_samples if sample.aspect not in left_out)


def of_split(samples: Iterable[Sample], split: str) -> Iterator[Sample]:
    """Yield the samples of a split, or all samples if `split` is empty.

    Raises RunError if no sample is in the split.
    """
    return in_split(samples, split, lambda sample: sample.example.split)


def in_split(items: Iterable[T], split: str, split_of: Callable[[T], str]) -> Iterator[T]:
    """Yield the samples or tasks of a split, or all of them if `split` is empty.

    Raises RunError if the split contains none of the items.
    """
    any_taken = False
    other_splits: set[str] = set()
    for item in items:
        if not split or split_of(item) == split:
            any_taken = True
            yield item
        else:
            other_splits.add(split_of(item) or "(none)")
    if split and not any_taken:
        split_names = ", ".join(sorted(other_splits)) or "(none)"
        raise RunError(f"the gold has no sample in split '{split}'; its splits are: {split_names}")


def _left_out(
    benchmark: Benchmark, samples: Sequence[Sample], answers: Sequence[Answer], *, by_order: bool
) -> frozenset[str]:
    sizes = Counter(sample.aspect for sample in samples)
    if not by_order:
        answered_ids = {answer.sample_id for answer in answers}
        answered_aspects = {sample.aspect for sample in samples if sample.sample_id in answered_ids}
        return frozenset(sizes.keys() - answered_aspects) if answered_aspects else frozenset()
    if len(answers) in {0, sizes.total()}:
        return frozenset()
    needed = sum(size for aspect, size in sizes.items() if aspect not in benchmark.optional)
    if len(answers) == needed:
        return benchmark.optional
    size_text = ", ".join(f"{size} of {aspect}" for aspect, size in sizes.items())
    raise RunError(
        f"there are {len(answers)} predictions for {sizes.total()} samples ({size_text}); "
        "write one line per sample, or match lines by id without --by-order"
    )
