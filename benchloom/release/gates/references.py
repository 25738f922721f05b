"""Gate: ids lead to rows of other tables, and references inside a shortcut to its actions."""

from collections.abc import Iterator

from benchloom.records import Shortcut
from benchloom.release.gates.view import GateView
from benchloom.tables import iter_records

CHECKS = ("references",)
FORWARD = "forward_reference"
_LINKS = (
    ("queries", "target_id", ("shortcuts.shortcut_id", "planning_paths.path_id")),
    ("verdicts", "target_id", ("queries.query_id",)),
    ("queries", "completion_digest", ("completions.completion_digest",)),
    ("definition_checks", "shortcut_id", ("shortcuts.shortcut_id",)),
    ("definition_checks", "source_digest", ("shortcuts.source_digest",)),
    ("conflicts", "api", ("api_definitions.api",)),
)
"""Table, column, and the columns one of which must hold the value."""


def findings(release: GateView) -> Iterator[str]:
    """One line per value that leads nowhere."""
    for table, column, targets in _LINKS:
        names = [target.partition(".")[::2] for target in targets]
        held = [(name, field) for name, field in names if release.has(name)]
        if not release.has(table) or not held:
            continue
        known = {value for name, field in held for value in release.values(name, field)}
        for value in sorted(map(str, release.values(table, column) - known)):
            yield f"{table}.{column}: {value} is in none of {', '.join(targets)}"
    yield from _defined(release)
    for shortcut in iter_records(release.folder, "shortcuts", Shortcut):
        yield from _actions(shortcut)


def _defined(release: GateView) -> Iterator[str]:
    """Whether definitions that checks name are published."""
    if not release.has("definition_checks", "api_definitions"):
        return
    known = release.values("api_definitions", "definition_id")
    for ident, actions in release.rows("definition_checks", ["shortcut_id", "actions"]):
        for action in actions if isinstance(actions, list) else []:
            if action["definition_id"] is not None and action["definition_id"] not in known:
                yield f"definition_checks: {ident}: {action['definition_id']} is not published"


def _actions(shortcut: Shortcut) -> Iterator[str]:
    """References must point at an action of the shortcut, and back unless an oddity tells."""
    count = len(shortcut.actions)
    place = f"shortcuts: {shortcut.shortcut_id}"
    for position, action in enumerate(shortcut.actions):
        if action.index != position:
            yield f"{place}: action {position} has index {action.index}"
        implicit = (action.implicit_input,) if action.implicit_input is not None else ()
        for references in (implicit, *(argument.references for argument in action.arguments)):
            for reference in references:
                target = reference.action_index
                if target is None:
                    continue
                if not 0 <= target < count:
                    yield f"{place}: action {position} refers to action {target} of {count}"
                elif target >= position and FORWARD not in shortcut.oddities:
                    yield f"{place}: action {position} refers forward to action {target}, untold"
