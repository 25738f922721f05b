"""A release gate: every input must have become a row, or must be rejected with a reason.

The manifest contains a funnel: for each pipeline stage, how many objects it received, kept and left
out. The gate checks that these counts agree with each other and with the tables.
"""

from collections import Counter
from collections.abc import Iterator

import pyarrow.compute as pc

from benchloom.release.gates.view import GateView
from benchloom.release.manifest import MANIFEST, Manifest
from benchloom.storage.workspace import CONVERSION, IMPORT, FunnelStep

_LAST = {"normalise-shortcuts": "shortcuts", "captured-listings": "listings"}
"""Maps the last stage that leaves out rows to the table of the rows that it keeps."""
_TABLE_OF_STAGE = {
    "parse-shortcuts": "shortcuts",
    "normalise-shortcuts": "shortcuts",
    "enrich-shortcuts": "shortcuts",
    "execute-shortcuts": "executions",
    "captured-listings": "listings",
    "judge-given": "queries",
}
"""Maps a stage to a table, if each object that the stage keeps is a row of this table."""
_PLANS = "normalise-plans"
_NEXT = (
    ("parse-shortcuts", "normalise-shortcuts"),
    ("normalise-shortcuts", "enrich-shortcuts"),
    ("enrich-shortcuts", "evaluation-split"),
    ("enrich-shortcuts", "execute-shortcuts"),
)
"""Pairs of stages. The second stage receives all rows that the first stage kept."""


_EARLIER = {
    "parse-definitions": (),
    "normalise-definitions": ("parse-definitions",),
    "parse-shortcuts": (),
    "normalise-shortcuts": ("parse-shortcuts",),
    "enrich-shortcuts": ("parse-shortcuts", "normalise-shortcuts"),
    "evaluation-split": (
        "parse-definitions",
        "normalise-definitions",
        "parse-shortcuts",
        "normalise-shortcuts",
        "enrich-shortcuts",
    ),
    "captured-listings": (),
}
"""Maps a stage to the earlier stages whose rejected rows it copies."""
_COPIED = (("normalise-definitions", "evaluation-split", "conflicts"),)
"""Tuples of a first stage, a second stage, and the table that the second stage copies unchanged."""
_FAMILIES = {"captured-listings": "normalise", "evaluation-split": "evaluation-split"}
_KNOWN_FAMILIES = ("convert", "evaluation-split", "generate", "normalise", "parse")
"""Valid values of `rejected.stage`. They are mostly the first word of a stage's name."""
_OF_DIALOGUES = ("dialogues", "service_results")
"""Tables that conversions of dialogues write, and that are copied when plans are merged."""


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per stage or table whose counts do not add up."""
    manifest = release.manifest
    tables = manifest.tables()
    steps: dict[str, list[FunnelStep]] = {}
    for step in manifest.funnel:
        steps.setdefault(step.stage, []).append(step)
        yield from _step_findings(step)
    rejected = sum(sum(step.reasons.values()) for step in manifest.funnel)
    if "rejected" in tables and tables["rejected"] != rejected:
        yield (
            f"rejected: contains {tables['rejected']} rows, "
            f"but the funnel's reasons add up to {rejected}"
        )
    elif "rejected" in tables:
        yield from _reason_findings(release)
    for step in steps.get(_PLANS, []):
        yield from _dialogue_findings(release, step)
    for stage, table in _LAST.items():
        last = steps.get(stage, [])
        if last and last[-1].kept != tables.get(table):
            yield f"{table}: contains {tables.get(table)} rows, but {stage} kept {last[-1].kept}"
    for before, after in _NEXT:
        kept_counts = [step.kept for step in steps.get(before, [])]
        received = [step.received for step in steps.get(after, [])]
        if len(kept_counts) == len(received) == 1:
            yield from _handover_findings(before, kept_counts[0], after, received[0])
    converted = [step.kept for step in manifest.funnel if step.stage.startswith(CONVERSION)]
    received = [step.received for step in steps.get(_PLANS, [])]
    if converted and received:
        yield from _handover_findings(f"{CONVERSION}*", sum(converted), _PLANS, sum(received))
    yield from _takeover_findings(steps)
    yield from _conversion_findings(manifest, steps.get(_PLANS, []))
    yield from _released_findings(manifest, tables)


def _takeover_findings(steps: dict[str, list[FunnelStep]]) -> Iterator[str]:
    alone = {stage: stage_steps[0] for stage, stage_steps in steps.items() if len(stage_steps) == 1}
    for stage, earlier in _EARLIER.items():
        before = [step for name in earlier for step in steps.get(name, [])]
        if stage in alone and all(name in alone for name in earlier if name in steps):
            step = alone[stage]
            rejected = sum(sum(funnel_step.reasons.values()) for funnel_step in (step, *before))
            if step.rows.get("rejected", rejected) != rejected:
                yield (
                    f"{MANIFEST}: funnel of {stage} wrote {step.rows['rejected']} rejected rows, "
                    f"but the reasons up to this stage add up to {rejected}"
                )
    for before_name, after_name, table in _COPIED:
        if before_name in alone and after_name in alone:
            written, received = (
                alone[before_name].rows.get(table),
                alone[after_name].rows.get(table),
            )
            if written != received:
                yield (
                    f"{MANIFEST}: {before_name} wrote {written} {table}, "
                    f"but {after_name} received {received}"
                )
    defined = alone.get("normalise-definitions")
    # Equal definitions are merged, so fewer may be written than received.
    if defined is not None and defined.rows.get("api_definitions", 0) > defined.received:
        yield (
            f"{MANIFEST}: {defined.stage} received {defined.received} definitions, but wrote "
            f"{defined.rows['api_definitions']}"
        )


def _conversion_findings(manifest: Manifest, merged: list[FunnelStep]) -> Iterator[str]:
    steps = [step for step in manifest.funnel if step.stage.startswith(CONVERSION)]
    if len(merged) != 1 or not steps:
        return
    plans, kept_dialogues = (
        sum(s.rows.get("planning_paths", 0) for s in steps),
        sum(s.kept for s in steps),
    )
    if plans != kept_dialogues:
        yield (
            f"{MANIFEST}: {CONVERSION}* wrote {plans} planning_paths, "
            f"but kept {kept_dialogues} dialogues"
        )
    for step in steps:
        if step.rows.get("rejected", 0) != sum(step.reasons.values()):
            yield f"{MANIFEST}: funnel of {step.stage} has reasons for other rejected rows"
    # Withheld dialogues, and those without redistribution rights, have no rejected rows.
    for table in _OF_DIALOGUES:
        written = sum(step.rows.get(table, 0) for step in steps)
        if written < merged[0].rows.get(table, 0):
            yield f"{MANIFEST}: {CONVERSION}* wrote {written} {table}, but {_PLANS} received more"


def _handover_findings(before: str, kept_count: int, after: str, received: int) -> Iterator[str]:
    if kept_count != received:
        yield (
            f"{MANIFEST}: {after} received {received} objects of the "
            f"{kept_count} that {before} kept"
        )


def _step_findings(step: FunnelStep) -> Iterator[str]:
    location = f"{MANIFEST}: funnel of {step.stage}"
    if step.kept < 0:
        yield f"{location} leaves out more than it received"
    if any(count < 0 for count in (*step.reasons.values(), *step.rows.values())):
        yield f"{location} has a count below zero"
    table = _TABLE_OF_STAGE.get(step.stage)
    if table is not None and step.rows.get(table, step.kept) != step.kept:
        yield f"{location} kept {step.kept} objects, but wrote {step.rows[table]} rows of {table}"


def _dialogue_findings(release: GateView, step: FunnelStep) -> Iterator[str]:
    # imports may have added further dialogues
    dialogue_count = sum(
        len(dialogues)
        for (dialogues,) in release.rows("planning_paths", ["dialogues"])
        if isinstance(dialogues, list)
    )
    imports = (
        import_step
        for import_step in release.manifest.funnel
        if import_step.stage.startswith(IMPORT)
    )
    if (
        not step.kept
        <= dialogue_count
        <= step.kept + sum(import_step.kept for import_step in imports)
    ):
        yield f"planning_paths: lists {dialogue_count} dialogues, but {_PLANS} kept {step.kept}"


def _reason_findings(release: GateView) -> Iterator[str]:
    step_counts: Counter[str] = Counter()
    for step in release.manifest.funnel:
        step_counts.update(step.reasons)
    row_counts: Counter[str] = Counter()
    for batch in release.batches("rejected", ["reason"]):
        for counted in pc.value_counts(batch.column("reason")).to_pylist():
            row_counts[str(counted["values"])] += counted["counts"]
    for reason in sorted(step_counts.keys() | row_counts.keys()):
        if step_counts[reason] != row_counts[reason]:
            yield (
                f"rejected: contains {row_counts[reason]} rows of {reason}, "
                f"but the funnel states {step_counts[reason]}"
            )
    yield from _family_findings(release)


def _family_findings(release: GateView) -> Iterator[str]:
    step_counts: Counter[tuple[str, str]] = Counter()
    for step in release.manifest.funnel:
        family = _FAMILIES.get(step.stage) or step.stage.partition("-")[0]
        if step.reasons and family not in _KNOWN_FAMILIES:
            return  # its rejected rows state another stage
        step_counts.update({(family, reason): count for reason, count in step.reasons.items()})
    row_counts: Counter[tuple[str, str]] = Counter()
    for stage, reason in release.rows("rejected", ["stage", "reason"]):
        row_counts[str(stage), str(reason)] += 1
    for stage, reason in sorted(step_counts.keys() | row_counts.keys()):
        count, rows = step_counts[stage, reason], row_counts[stage, reason]
        if count != rows:
            yield (
                f"rejected: contains {rows} rows of stage {stage} with {reason}, "
                f"but the funnel counts {count}"
            )


def _released_findings(manifest: Manifest, tables: dict[str, int]) -> Iterator[str]:
    released = frozenset(manifest.created_from.released)
    last = [step for step in manifest.funnel if step.stage in released]
    if not released or len(last) != len(released):
        return  # unknown in releases of earlier versions, ambiguous if two stages have one name
    for table, rows in tables.items():
        written = sum(step.rows.get(table, 0) for step in last)
        if written != rows + manifest.merged.get(table, 0):
            yield f"{table}: contains {rows} rows, but the stages of the release wrote {written}"
