"""A release gate: generated texts must agree with their verdicts and have the split of their row.

The verdicts of automatic and human checks about a text decide whether it is kept.
"""

from collections import defaultdict
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.records.texts import HUMAN, JUDGEMENT
from benchloom.release.gates.view import GateView
from benchloom.release.query_splits import TARGETS, TEMPLATE, TRAINING, Verdicts

SORTS = "category"
"""Texts of this kind assign a category to the row that they are about."""
_VERDICT = ["target_id", "check", "kept", "evidence"]
_COLUMNS = ["query_id", "target_id", "kind", "kept", "judged", "split", "category", "generator"]


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per text that contradicts its verdicts or the row that it is about."""
    verdicts = Verdicts()
    for target, check, is_kept, evidence in release.rows("verdicts", _VERDICT, _is_decisive):
        verdicts.add(target, str(check), kept=bool(is_kept), evidence=str(evidence))
    splits: defaultdict[object, set[object]] = defaultdict(set)
    for table, column in TARGETS.items():
        for target, split in release.rows(table, [column, "split"]):
            splits[target].add(split)
    spellings: dict[str, str] = {}
    for row in release.rows("queries", _COLUMNS):
        query_id, target, kind, is_kept, judged, split, category, author = row
        location = f"queries: {query_id}"
        if is_kept != verdicts.keep(query_id):
            yield f"{location}: kept is {is_kept}, which contradicts its verdicts"
        if judged != (query_id in verdicts.judged):
            yield f"{location}: judged is {judged}, which contradicts its verdicts"
        # Texts of templates about training rows have no split.
        left_out = author == TEMPLATE and split is None and TRAINING in splits.get(target, ())
        if target in splits and split not in splits[target] and not left_out:
            names = _split_names(splits[target])
            yield f"{location}: has the split {split}, but its target is in {names}"
        if (category is not None) != (kind == SORTS):
            yield f"{location}: category {category} does not fit kind {kind}"
        if category is not None:
            first = spellings.setdefault(str(category).casefold(), str(category))
            if first != category:
                yield f"{location}: category {category} is also spelt {first}"


def _is_decisive(verdicts: pa.RecordBatch) -> pa.Array:
    # A text is kept by default, so an automatic check that keeps it has no effect.
    check = verdicts.column("check")
    is_review = pc.or_kleene(pc.starts_with(check, HUMAN), pc.starts_with(check, JUDGEMENT))
    return pc.or_kleene(is_review, pc.invert(verdicts.column("kept").fill_null(fill_value=False)))


def _split_names(splits: set[object]) -> str:
    return ", ".join(sorted(map(str, splits)))
