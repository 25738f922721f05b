"""Gold: published records, alone or wrapped, our own export of them, or the plans of a release."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.evaluate.gold import (
    examples_of_files,
    examples_of_release,
    is_release,
    rows_of_release,
)
from benchloom.examples import Example
from benchloom.examples.releases import Choice, read_texts
from benchloom.plans.assembly import category_of

TABLE = "planning_paths"
WITH_TEXTS = Choice(templates=True)
_CATEGORY = re.compile(r"(?<![a-z])(ss|sm|ms|mm)(?![a-z])")


def read_gold(gold: Path) -> Iterator[Sample]:
    """The samples in the order of the files, sorted by name, or of the table of a release.

    The plans of a release come with each of their kept requests; where no text of the release asks
    for a plan, they come without. `level` is the category: what the name of the file says, else
    what follows from the apps.

    Raises:
        RunError: nothing there is a plan, or a record is damaged.
    """
    seen: Counter[str] = Counter()
    for example in _of_release(gold) if is_release(gold) else examples_of_files(gold, ["appbench"]):
        own = example.source_id if example.source == "appbench" else example.example_id
        seen[own] += 1
        ident = own if seen[own] == 1 else f"{own}#{seen[own]}"
        yield Sample(sample_id=ident, example=example, level=_category(example))


def _of_release(release: Path) -> Iterator[Example]:
    asked = read_texts(release, WITH_TEXTS).by_target
    plans = {row.target_id for row in rows_of_release(release, TABLE)} if asked else set()
    if plans & asked.keys():
        return examples_of_release(release, TABLE, WITH_TEXTS)
    return rows_of_release(release, TABLE)


def _category(example: Example) -> str:
    named = _CATEGORY.search(PurePosixPath(example.source_uri).stem.casefold())
    if named and example.source == "appbench":
        return named[1].upper()
    if not example.calls:
        return ""
    names = Names(example.calls)
    return category_of([names.app(call.app) for call in example.calls])
