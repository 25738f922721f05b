"""A release gate: human reviewers appear only as numbers, and their corrected texts are present."""

import re
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.records.texts import GIVEN, HUMAN
from benchloom.release.gates.view import GateView
from benchloom.release.review import REASONS
from benchloom.release.review.readers import EDITED, READER, REPLACEMENT

_CHECK = re.compile(rf"{HUMAN}{READER}[1-9][0-9]*")


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per human verdict that identifies a person or refers to a missing text."""
    replaced: dict[str, str] = {}
    judged_texts: set[str] = set()
    columns = ["target_id", "check", "kept", "reason", "evidence"]
    for target, check, is_kept, reason, evidence in release.rows("verdicts", columns, _of_people):
        judged_texts.add(str(target))
        location = f"verdicts: {target}"
        if not _CHECK.fullmatch(str(check)):
            yield f"{location}: a person is not identified by a number"
        if reason not in ({"ok"} if is_kept else {EDITED, *REASONS}):
            yield f"{location}: a person's verdict has kept {is_kept} with the reason {reason}"
        new = str(evidence).rpartition(REPLACEMENT)
        if new[1]:
            replaced[str(target)] = new[2]
    if judged_texts:
        yield from _texts(release, judged_texts, replaced)


def _of_people(verdicts: pa.RecordBatch) -> pa.Array:
    return pc.starts_with(verdicts.column("check"), HUMAN)


def _texts(release: GateView, judged_texts: set[str], replaced: dict[str, str]) -> Iterator[str]:
    query_ids = judged_texts | set(replaced.values())
    columns = ["query_id", "target_id", "kind", "generator"]
    about = {
        str(query_id): (target, kind, author)
        for query_id, target, kind, author in release.rows("queries", columns)
        if query_id in query_ids
    }
    for query_id in sorted(judged_texts - about.keys()):
        yield f"verdicts: {query_id}: a person's verdict is about a text that does not exist"
    for old, new in sorted(replaced.items()):
        if old in about and (new not in about or about[new] != (*about[old][:2], GIVEN)):
            yield f"verdicts: {old}: the replacement {new} does not exist or has another target"
