"""Stage evaluation split: shortcuts joined with the definitions of their APIs.

Reads normalised shortcuts and a catalogue; writes `shortcuts` (their workflow with the summaries of
the APIs filled in), `definition_checks` and `apps`, and takes over `api_definitions` (with our own
definitions of control actions), `conflicts` and the `rejected` of both, so that its folder alone
makes a release. A shortcut that is left out
of the evaluation split keeps its row in `shortcuts` and gets one in `rejected` with the reason.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.identity import tagged_digest
from benchloom.normalise.definitions.app_marks import read_marks
from benchloom.normalise.definitions.app_table import AppCounts
from benchloom.normalise.definitions.loading import load_index, shown_definitions
from benchloom.normalise.redaction import redact_text
from benchloom.normalise.shortcuts.evaluation_split import find_exclusions, first_reason
from benchloom.normalise.shortcuts.validity import find_faults
from benchloom.records import (
    Action,
    ActionDefinition,
    DefinitionCheck,
    Rejected,
    Shortcut,
)
from benchloom.stages import ShardMark, part_path, write_shard_mark
from benchloom.tables import TableWriter, iter_records, open_parquet, table_parts, write_table
from benchloom.workspace import StageMark
from flows.stages.processes.collecting import fewer_collections
from flows.stages.searches import remembering_searches
from flows.stages.sharded import ShardedStage, stage_path
from parsers.shortcuts.implicit_inputs import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls

STAGE = "evaluation-split"
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=(
        "api_definitions",
        "apps",
        "conflicts",
        "definition_checks",
        "rejected",
        "shortcuts",
    ),
)


def prepare(
    shortcuts: tuple[Path, StageMark],
    catalogue: tuple[Path, StageMark],
    marks: Path,
    root: Path,
) -> ShardedStage:
    """The stage over finished shortcuts and definitions, in a folder of `root`.

    `marks` is the operator's file of app marks; it need not exist.
    """
    read_marks(marks)
    marked = tagged_digest("file", marks.read_bytes()) if marks.is_file() else ""
    key = CODE.key([shortcuts[1].key, catalogue[1].key, marked])
    folder = stage_path(root, "evaluation", key)
    sources = {
        file.source_uri: file for mark in (shortcuts[1], catalogue[1]) for file in mark.sources
    }
    return ShardedStage(
        STAGE,
        key,
        folder,
        1,
        partial(join_shard, shortcuts[0], catalogue[0], marks, out=folder),
        [sources[uri] for uri in sorted(sources)],
        (*catalogue[1].funnel(), *shortcuts[1].funnel()),
    )


def join_shard(shortcuts: Path, catalogue: Path, marks: Path, number: int, out: Path) -> ShardMark:
    """Join all shortcuts, one in memory at a time; the counts of apps need them all."""
    index = load_index(catalogue)
    marked = read_marks(marks)
    counts = AppCounts()
    left_out: list[Rejected] = []
    with (
        fewer_collections(),
        remembering_searches(out.parent.parent, "evaluation"),
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as rows,
        TableWriter("definition_checks", part_path(out, "definition_checks", number)) as checks,
    ):
        for shortcut in iter_records(shortcuts, "shortcuts", Shortcut):
            joined = tuple(index.join(action) for action in shortcut.actions)
            counts.add(shortcut, joined)
            exclusions = find_exclusions(shortcut, index, marked)
            if exclusions:
                left_out.append(_left_out(shortcut, exclusions))
            findings = find_faults(shortcut, joined, index)
            checks.add(
                DefinitionCheck(
                    shortcut.shortcut_id,
                    shortcut.source_digest,
                    shortcut.source_uri,
                    not exclusions,
                    exclusions,
                    not findings,
                    findings,
                    joined,
                )
            )
            actions = with_implicit_inputs(shortcut, index.find)
            # Filled summaries put values side by side that the actions hold apart.
            text = describe_calls(actions, index.find)
            workflow = redact_text(text, rendered=True).text
            size = len(workflow) + 200 * shortcut.action_count
            rows.add(
                msgspec.structs.replace(
                    shortcut,
                    actions=_defined(actions, joined),
                    workflow=workflow,
                    evaluation=not exclusions,
                    evaluation_reasons=exclusions,
                ),
                size,
            )
    written = {
        "shortcuts": rows.rows,
        "definition_checks": checks.rows,
        "apps": write_table("apps", counts.table(marked), part_path(out, "apps", number)),
        "rejected": _write_rejected(
            (shortcuts, catalogue), left_out, part_path(out, "rejected", number)
        ),
    }
    written["conflicts"] = _copy(catalogue, "conflicts", part_path(out, "conflicts", number))
    written["api_definitions"] = write_table(
        "api_definitions",
        shown_definitions(catalogue, index),
        part_path(out, "api_definitions", number),
    )
    reasons = Counter(row.reason for row in left_out)
    mark = ShardMark(number=number, objects=rows.rows, rows=written, reasons=dict(reasons))
    write_shard_mark(out, mark)
    return mark


def _defined(actions: Sequence[Action], joined: Sequence[ActionDefinition]) -> tuple[Action, ...]:
    """The actions with the ids of their definitions."""
    return tuple(
        msgspec.structs.replace(action, definition_id=found.definition_id)
        for action, found in zip(actions, joined, strict=True)
    )


def _copy(folder: Path, table: str, path: Path) -> int:
    """A table of another stage as one part, its row groups as they are."""
    with TableWriter(table, path) as writer:
        for part in table_parts(folder, table):
            with open_parquet(part) as file:
                for group in range(file.num_row_groups):
                    writer.add_table(file.read_row_group(group, use_threads=False))
    return writer.rows


def _left_out(shortcut: Shortcut, exclusions: tuple[str, ...]) -> Rejected:
    """The row that says why a shortcut is not in the evaluation split; it stays in `shortcuts`."""
    message = f"not in the evaluation split: {', '.join(exclusions)}"
    return Rejected(
        STAGE, shortcut.source_uri, first_reason(exclusions), message, shortcut.shortcut_id
    )


def _write_rejected(folders: Sequence[Path], further: list[Rejected], path: Path) -> int:
    """The rejected rows of some stages and of this one, in the order of the table."""
    rows = [row for folder in folders for row in iter_records(folder, "rejected", Rejected, 4096)]
    rows += further
    rows.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    return write_table("rejected", rows, path)
