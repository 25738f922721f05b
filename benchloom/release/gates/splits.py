"""Gate: splits have one set of names, near duplicates stand in one, evaluation keeps its rules.

A dialogue, and what its services gave back, stand in the split of its plan.
"""

from collections.abc import Iterator

from benchloom.normalise.shortcuts.splits import MAX_LENGTH
from benchloom.release.gates.view import GateView
from benchloom.tables import SPLITS

_OTHERS = (
    ("planning_paths", "path_id"),
    ("queries", "query_id"),
    ("dialogues", "dialogue_id"),
    ("service_results", "dialogue_id"),
)
COLUMNS = [
    "shortcut_id",
    "near_duplicate_cluster",
    "split",
    "evaluation",
    "evaluation_reasons",
    "length",
]


def findings(release: GateView) -> Iterator[str]:
    """One line per cluster that straddles splits, and per row that breaks a rule."""
    splits: dict[object, set[object]] = {}
    for ident, cluster, split, evaluation, reasons, length in release.rows("shortcuts", COLUMNS):
        if split is None:
            continue  # a release of a stage before the splits
        if split not in SPLITS:
            yield f"shortcuts: {ident}: unknown split '{split}'"
        if cluster is not None:
            splits.setdefault(cluster, set()).add(split)
        if bool(evaluation) == bool(reasons):
            yield f"shortcuts: {ident}: evaluation and its reasons contradict each other"
        if evaluation and isinstance(length, int) and length > MAX_LENGTH:
            yield f"shortcuts: {ident}: length {length} in the evaluation subset"
    for cluster, found in splits.items():
        if len(found) > 1:
            yield f"shortcuts: {cluster} stands in {', '.join(sorted(map(str, found)))}"
    for table, column in _OTHERS:
        for ident, split in release.rows(table, [column, "split"]):
            if split is not None and split not in SPLITS:
                yield f"{table}: {ident}: unknown split '{split}'"
    plans = {row[0]: row[1] for row in release.rows("planning_paths", ["path_id", "split"])}
    for table in ("dialogues", "service_results"):
        for ident, plan, split in release.rows(table, ["dialogue_id", "path_id", "split"]):
            if plans.get(plan, split) != split:
                yield f"{table}: {ident}: split {split}, its plan is in {plans[plan]}"
