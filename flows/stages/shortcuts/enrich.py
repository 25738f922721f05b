"""Stage enrich, shortcuts: redaction, near-duplicate clusters, splits and languages.

The only stage whose shortcuts may leave the workspace.
"""

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pyarrow.compute as pc

from benchloom.balance import Balance
from benchloom.errors import GateError, RunError
from benchloom.garbage import fewer_collections
from benchloom.identity import hex_of
from benchloom.memory.code import stage_key
from benchloom.normalise.redaction import redact_shortcut
from benchloom.normalise.shortcuts.fingerprints import TABLE, read_fingerprints
from benchloom.normalise.shortcuts.languages import languages_of
from benchloom.normalise.shortcuts.leakage import report_leakage, write_report
from benchloom.normalise.shortcuts.near_duplicates import find_clusters
from benchloom.normalise.shortcuts.splits import reasons_without_definitions, split_of
from benchloom.records import Shortcut
from benchloom.stages import ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.tables import TableWriter, open_parquet, table_parts
from flows.stages.earlier_rows import earlier_rows, shortcut_keys
from flows.stages.sharded import ShardedStage, stage_path
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from parsers.shortcuts.wording.workflow import describe_workflow

STAGE = "enrich-shortcuts"
BATCH_ROWS = 256


class Plan(msgspec.Struct, frozen=True):
    """What every shard of the stage needs to know.

    `parts` are the files of normalised shortcuts, a shard for each; `anchors` maps the id of each
    shortcut that has near duplicates to the anchor of its cluster.
    """

    normalised: Path
    fingerprints: Path
    parts: tuple[Path, ...]
    anchors: dict[str, str]


def prepare(
    normalised: Path,
    fingerprints: Path,
    root: Path,
) -> ShardedStage:
    """The stage over complete normalised and fingerprint stages, in a folder of `root`.

    Raises:
        RunError: one of the stages is not complete.
    """
    mark = complete_mark(normalised, normalise_shortcuts.STAGE)
    compared = complete_mark(fingerprints, fingerprint_shortcuts.STAGE)
    key = stage_key(STAGE, [mark.key, compared.key])
    folder = stage_path(root, "enriched", key)
    parts = tuple(table_parts(normalised, "shortcuts"))
    stage = ShardedStage(
        STAGE,
        key,
        folder,
        len(parts),
        _no_work,
        mark.sources,
        mark.funnel(),
        balance=Balance(mark.rows["shortcuts"], ("shortcuts",)),
    )
    if stage.complete() is not None:
        return stage
    plan = Plan(
        normalised,
        fingerprints,
        parts,
        _anchors(fingerprints),
    )
    return replace(
        stage,
        work=partial(enrich_shard, plan, out=folder),
        closing=partial(close_stage, plan, out=folder),
    )


def _no_work(number: int) -> ShardMark:
    raise RunError(f"shard {number} of a complete stage is never made again")


def _anchors(fingerprints: Path) -> dict[str, str]:
    found = read_fingerprints(table_parts(fingerprints, TABLE))
    anchors = find_clusters(found).anchors()
    sizes = Counter(anchors)
    rows = zip(found.shortcut_ids, found.sizes().tolist(), anchors, strict=True)
    return {ident: anchor for ident, size, anchor in rows if size and sizes[anchor] > 1}


def enrich_shard(plan: Plan, number: int, out: Path) -> ShardMark:
    """Write the rows of a part as they may be published, those of an earlier run as they lie."""
    part = plan.parts[number]
    with (
        fewer_collections(),
        earlier_rows(out, STAGE, number, ("shortcuts",)) as earlier,
        TableWriter("shortcuts", part_path(out, "shortcuts", number)) as writer,
        open_parquet(part, "shortcuts") as file,
    ):
        for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
            ids = batch.column("shortcut_id").to_pylist()
            sizes = pc.utf8_length(batch.column("workflow")).to_pylist()
            anchors = (plan.anchors.get(one, "").encode() for one in ids)
            found = earlier.find_all(list(zip(shortcut_keys(batch), anchors, strict=True)))
            for at, before in enumerate(found):
                if before is None:
                    (row,) = batch.slice(at, 1).to_pylist()
                    writer.add(enrich(msgspec.convert(row, Shortcut), plan), sizes[at])
                else:
                    writer.add(before[0], sizes[at])
    rows = {"shortcuts": writer.rows}
    mark = ShardMark(number=number, objects=writer.rows, rows=rows, reasons={})
    write_shard_mark(out, mark)
    return mark


def close_stage(plan: Plan, number: int, out: Path) -> ShardMark:
    """Take over the rejected rows, and report what leaks from split to split.

    Raises:
        GateError: equal or near duplicates stand in different splits.
    """
    rejected = _copy_rejected(plan.normalised, part_path(out, "rejected", number))
    _report(plan, out)
    mark = ShardMark(number=number, objects=0, rows={"rejected": rejected}, reasons={})
    write_shard_mark(out, mark)
    return mark


def enrich(shortcut: Shortcut, plan: Plan) -> Shortcut:
    """The row as it may be published."""
    anchor = plan.anchors.get(shortcut.shortcut_id)
    return msgspec.structs.replace(
        redact_shortcut(shortcut, describe_workflow),
        languages=languages_of(shortcut),
        near_duplicate_cluster=f"cluster:sha256:{hex_of(anchor)}" if anchor else None,
        split=split_of(anchor or shortcut.shortcut_id),
        evaluation=False,  # until definitions are joined
        evaluation_reasons=reasons_without_definitions(shortcut),
    )


def _copy_rejected(normalised: Path, path: Path) -> int:
    with TableWriter("rejected", path) as writer:
        for part in table_parts(normalised, "rejected"):
            with open_parquet(part) as file:
                for group in range(file.num_row_groups):
                    writer.add_table(file.read_row_group(group, use_threads=False))
    return writer.rows


def _report(plan: Plan, out: Path) -> None:
    found = read_fingerprints(table_parts(plan.fingerprints, TABLE))
    anchors = [plan.anchors.get(ident, ident) for ident in found.shortcut_ids]
    report = report_leakage(found, anchors, [split_of(anchor) for anchor in anchors])
    write_report(out, report)
    if report.exact_across_splits or report.near_across_splits:
        lines = (f"{pair.first} and {pair.second}: {pair.similarity}" for pair in report.pairs)
        raise GateError(f"{out.name}: duplicates stand in different splits", tuple(lines))
