"""A release gate: split names must be valid, and near duplicates must be in the same split.

The rows of the evaluation subset must also follow the rules of this subset.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.shortcuts.splits import MAX_LENGTH
from benchloom.release.gates.view import GateView
from benchloom.storage.tables import SPLITS, load_table, table_names

COLUMNS = [
    "shortcut_id",
    "near_duplicate_cluster",
    "split",
    "evaluation",
    "evaluation_reasons",
    "length",
]


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per row, or cluster of near duplicates, that breaks a rule about splits.

    All members of a cluster must be in one split, and the cluster must have the id of a member.
    """
    splits: dict[object, set[object]] = {}
    members: dict[object, set[object]] = {}
    for row_id, cluster, split, evaluation, reasons, length in release.rows(
        "shortcuts", COLUMNS, _matters
    ):
        if split is None:
            continue  # a release made before splits are assigned
        if split not in SPLITS:
            yield f"shortcuts: {row_id}: has the unknown split '{split}'"
        if cluster is not None:
            splits.setdefault(cluster, set()).add(split)
            members.setdefault(cluster, set()).add(row_id)
        if bool(evaluation) == bool(reasons):
            yield f"shortcuts: {row_id}: evaluation and evaluation_reasons contradict each other"
        if evaluation and isinstance(length, int) and length > MAX_LENGTH:
            yield (
                f"shortcuts: {row_id}: is in the evaluation subset, although its length is {length}"
            )
    for cluster, cluster_splits in splits.items():
        if len(cluster_splits) > 1:
            names = ", ".join(sorted(map(str, cluster_splits)))
            yield f"shortcuts: the cluster {cluster} is in several splits: {names}"
    for cluster, row_ids in members.items():
        member_id = "shortcut:" + str(cluster).partition(":")[2]
        if member_id not in row_ids or len(row_ids) < 2:
            yield f"shortcuts: {cluster} is not a valid cluster: its id is not the id of a member"
    for table in map(load_table, table_names()):
        if table.splits is None or table.name == "shortcuts":
            continue
        columns = [table.columns[0].name, table.splits.column]
        for row_id, split in release.rows(table.name, columns, _is_unknown):
            if split is not None:
                yield f"{table.name}: {row_id}: has the unknown split '{split}'"
    plans = {row[0]: row[1] for row in release.rows("planning_paths", ["path_id", "split"])}
    for name in ("dialogues", "service_results"):
        for row_id, plan, split in release.rows(name, ["dialogue_id", "path_id", "split"]):
            if plans.get(plan, split) != split:
                yield f"{name}: {row_id}: has the split {split}, but its plan is in {plans[plan]}"


def _matters(shortcuts: pa.RecordBatch) -> pa.Array:
    # Selects members of clusters, and rows that break a rule.
    evaluation = shortcuts.column("evaluation").fill_null(fill_value=False)
    reasons = pc.list_value_length(shortcuts.column("evaluation_reasons")).fill_null(0)
    long = pc.greater(shortcuts.column("length"), MAX_LENGTH).fill_null(fill_value=False)
    same = pc.equal(evaluation, pc.greater(reasons, 0))
    breaks = pc.or_(pc.or_(_is_unknown(shortcuts), same), pc.and_(evaluation, long))
    return pc.or_(shortcuts.column("near_duplicate_cluster").is_valid(), breaks)


def _is_unknown(rows: pa.RecordBatch) -> pa.Array:
    return pc.invert(pc.is_in(rows.column("split"), pa.array(SPLITS)))
