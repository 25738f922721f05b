"""Gate: every object that went in came out as a row or with a reason."""

from collections.abc import Iterator

from benchloom.release.gates.view import GateView
from benchloom.release.manifest import MANIFEST

CHECKS = ("funnel",)
_LAST = {"normalise-shortcuts": "shortcuts", "captured-listings": "listings"}
"""Stages after which no row of a table is left out."""


def findings(release: GateView) -> Iterator[str]:
    """One line per stage or table whose numbers do not add up."""
    manifest = release.manifest
    by_stage = {step.stage: step for step in manifest.funnel}
    for step in manifest.funnel:
        if step.kept < 0:
            yield f"{MANIFEST}: funnel of {step.stage} leaves out more than it received"
    rejected = sum(sum(step.reasons.values()) for step in manifest.funnel)
    tables = manifest.tables()
    if "rejected" in tables and tables["rejected"] != rejected:
        yield f"rejected: {tables['rejected']} rows, the funnel's reasons add up to {rejected}"
    for stage, table in _LAST.items():
        last = by_stage.get(stage)
        if last is not None and last.kept != tables.get(table):
            yield f"{table}: {tables.get(table)} rows, the funnel of {stage} kept {last.kept}"
