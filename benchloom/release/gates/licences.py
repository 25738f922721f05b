"""A release gate: every table and every task must state its licence."""

from collections.abc import Iterator

from benchloom.core.errors import RunError
from benchloom.release.gates.view import GateView
from benchloom.storage.tables import load_table


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per table and per task that states no licence."""
    for name in release.manifest.tables():
        try:
            licence = load_table(name).licence
        except RunError:
            continue  # the gate `contract` reports it
        if not licence.strip():
            yield f"{name}: its definition states no licence"
    for task_id, row_licence in release.rows("tasks", ["task_id", "licence"]):
        if not str(row_licence or "").strip():
            yield f"tasks: {task_id}: the row states no licence"
