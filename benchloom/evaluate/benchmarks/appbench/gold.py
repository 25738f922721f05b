"""Read gold from AppBench's published records, from exported records, or from a release."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from benchloom.evaluate.benchmark import Report, Sample, unreported
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.gold import examples_of_files, examples_of_release, is_release
from benchloom.exchange.examples import Example
from benchloom.normalise.plans.assembly import category_of
from benchloom.storage.tables.definition import PLANNING_PATHS

_CATEGORY = re.compile(r"(?<![a-z])(ss|sm|ms|mm)(?![a-z])")


def read_gold(gold: Path, report: Report = unreported) -> Iterator[Sample]:
    """Yield the samples of a release in table order, or of files in the order of file names.

    `level` is the category in the name of the file, else the one derived from the apps.

    Raises:
        RunError: `gold` contains no plan, or every record is damaged.

    """
    seen: Counter[str] = Counter()
    if is_release(gold):
        examples = examples_of_release(gold, PLANNING_PATHS, report)
    else:
        examples = examples_of_files(gold, ["appbench"], report)
    for example in examples:
        own = example.source_id if example.source == "appbench" else example.example_id
        seen[own] += 1
        unique_id = own if seen[own] == 1 else f"{own}#{seen[own]}"
        yield Sample(sample_id=unique_id, example=example, level=_category(example))


def _category(example: Example) -> str:
    named = _CATEGORY.search(PurePosixPath(example.source_uri).stem.casefold())
    if named and example.source == "appbench":
        return named[1].upper()
    if not example.calls:
        return ""
    names = Names(example.calls)
    return category_of([names.app(call.app) for call in example.calls])
