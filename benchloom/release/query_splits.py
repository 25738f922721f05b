"""Add two facts to each generated text of a release: whether it is published, and its split.

The split is that of the shortcut or plan that the text is about. Both facts are known only when all
stages are finished, because judges run late and equal plans are merged. A text that no person read
is kept if every check keeps it. A text that people read is kept if most of them keep it and no
check in `FINAL_CHECKS` drops it. Near duplicates of a kept text are dropped. If the original is
dropped, the best of its near duplicates is kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from benchloom.core.records.texts import is_human, is_judgement
from benchloom.storage.tables import (
    TableWriter,
    read_rows,
    row_groups,
    row_values,
    table_parts,
    with_column,
)
from benchloom.storage.tables.merged_rows import HELD_OUT_FIRST

FINAL_CHECKS = frozenset({"foreign_directive", "near_duplicate"})
"""Checks that people do not overrule, because people may not see that a text follows instructions
from the data, or resembles another text."""

NEAR_DUPLICATE = "near_duplicate"
_ORIGINAL = re.compile(r" like (\S+)$")
"""Matches the end of the evidence of a near duplicate, which contains the id of its original."""


class Verdicts:
    """All verdicts of a release about generated texts. They decide which texts are published."""

    def __init__(self) -> None:
        self.judged: set[object] = set()
        self._dropped: set[object] = set()
        self._finally_dropped: set[object] = set()
        self._votes: Counter[object] = Counter()
        self._reviewed: set[object] = set()
        self._originals: dict[object, object] = {}
        self._copies: defaultdict[object, list[object]] = defaultdict(list)

    def add(self, target: object, check: str, *, kept: bool, evidence: str = "") -> None:
        """Add a verdict of a check or a person about the text with the id `target`.

        The `evidence` against a near duplicate ends with the id of its original.
        """
        if is_human(check):
            self._reviewed.add(target)
            self._votes[target] += 1 if kept else -1
            return
        if is_judgement(check):
            self.judged.add(target)
        original = None if kept or check != NEAR_DUPLICATE else _ORIGINAL.search(evidence)
        if original is not None:
            self._originals[target] = original[1]
            self._copies[original[1]].append(target)
        elif not kept:
            self._dropped.add(target)
            if check in FINAL_CHECKS:
                self._finally_dropped.add(target)

    def keep(self, target: object) -> bool:
        """Return whether a text is published. If people are divided equally, it is not."""
        if not self._passes(target):
            return False
        original = self._originals.get(target)
        if original is None:
            return True
        if self._passes(original):
            return False
        return target == min(filter(self._passes, self._copies[original]), key=self._rank)

    def _passes(self, target: object) -> bool:
        # Applies all rules except the rule about near duplicates.
        if target in self._reviewed:
            return self._votes[target] > 0 and target not in self._finally_dropped
        return target not in self._dropped

    def _rank(self, target: object) -> tuple[int, bool, str]:
        # Sorts by the votes of people, then judged texts before others, then the id.
        return -self._votes[target], target not in self.judged, str(target)


TARGETS = {"shortcuts": "shortcut_id", "planning_paths": "path_id"}
"""Tables of shortcuts and plans that texts are about, with the name of the id column."""
TRAINING, TEMPLATE = "train", "template"


def complete_queries(stages: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Complete the table `queries` of each stage with verdicts and splits, in a new folder.

    Returns a mapping from each stage's folder to the new folder, which is in `out`. If a shortcut
    or plan is in several splits, its texts get the split that is furthest from training.
    """
    holders = [folder for folder in stages if table_parts(folder, "queries")]
    if not holders:
        return {}
    verdicts = Verdicts()
    columns = ("target_id", "check", "kept", "evidence")
    for target, check, is_kept, evidence in _rows(stages, "verdicts", columns):
        verdicts.add(target, str(check), kept=bool(is_kept), evidence=str(evidence))
    splits = _splits(stages)
    folders: dict[Path, Path] = {}
    for number, folder in enumerate(holders):
        folders[folder] = out / str(number)
        with TableWriter("queries", folders[folder] / "queries.parquet") as writer:
            for part in table_parts(folder, "queries"):
                for rows in row_groups(part):
                    writer.add_table(_complete(rows, verdicts, splits))
    return folders


def _complete(rows: pa.Table, verdicts: Verdicts, splits: dict[object, str]) -> pa.Table:
    query_ids = rows.column("query_id").to_pylist()
    columns: dict[str, list[object]] = {
        "kept": [verdicts.keep(query_id) for query_id in query_ids],
        "judged": [query_id in verdicts.judged for query_id in query_ids],
        "split": [
            _split_of(splits.get(target), str(author))
            for target, author in row_values(rows, ("target_id", "generator"))
        ],
    }
    for name, values in columns.items():
        rows = with_column(rows, name, values)
    return rows


def _split_of(split: str | None, generator: str) -> str | None:
    # Texts of templates are never in train.
    return None if generator == TEMPLATE and split == TRAINING else split


def _splits(stages: Sequence[Path]) -> dict[object, str]:
    ranks = {name: rank for rank, name in enumerate(HELD_OUT_FIRST)}
    splits_by_target: dict[object, str] = {}
    for table, column in TARGETS.items():
        for target, split in _rows(stages, table, (column, "split")):
            if not isinstance(split, str):
                continue
            previous_split = splits_by_target.get(target)
            if previous_split is None or ranks.get(split, 0) < ranks.get(previous_split, 0):
                splits_by_target[target] = split
    return splits_by_target


def _rows(
    stages: Sequence[Path], table: str, columns: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    for folder in stages:
        for part in table_parts(folder, table):
            yield from row_values(read_rows(part, list(columns)), columns)
