"""Gate: an action has the definition of its API, or there is none and a reason is told."""

from collections.abc import Iterator

from benchloom.records import DefinitionCheck, Shortcut
from benchloom.release.gates.view import GateView
from benchloom.tables import iter_records

CHECKS = ("definitions",)
Ids = tuple[str | None, ...]


def findings(release: GateView) -> Iterator[str]:
    """One line per action whose definition is of another API, or missing without being missing."""
    apis: dict[object, object] = {}
    defined: set[object] = set()
    for ident, api, app in release.rows("api_definitions", ["definition_id", "api", "app"]):
        apis[ident] = api
        if app is not None:
            defined.add(api)
    checks = _checked(release)
    for shortcut in iter_records(release.folder, "shortcuts", Shortcut):
        place = f"shortcuts: {shortcut.shortcut_id}"
        for action in shortcut.actions:
            told = f"{place}: action {action.index} ({action.identifier})"
            if action.definition_id is None:
                if action.identifier in defined:
                    yield f"{told} has no definition_id, and its API is defined"
            elif apis.get(action.definition_id) != action.identifier:
                yield f"{told}: {action.definition_id} defines {apis.get(action.definition_id)}"
        key = (shortcut.shortcut_id, shortcut.source_digest, shortcut.source_uri)
        ids = tuple(action.definition_id for action in shortcut.actions)
        if checks is not None and checks.get(key) != ids:
            yield f"{place}: definition_checks names other definitions than its actions"
    yield from _reasons(release)


def _checked(release: GateView) -> dict[tuple[str, str, str], Ids] | None:
    """The definitions that the checks name, by shortcut; None in a release without checks."""
    if not release.has("definition_checks"):
        return None
    return {
        (check.shortcut_id, check.source_digest, check.source_uri): tuple(
            action.definition_id for action in check.actions
        )
        for check in iter_records(release.folder, "definition_checks", DefinitionCheck)
    }


def _reasons(release: GateView) -> Iterator[str]:
    """A missing definition has its reason, any other none."""
    for check in iter_records(release.folder, "definition_checks", DefinitionCheck):
        place = f"definition_checks: {check.shortcut_id}"
        for position, action in enumerate(check.actions):
            if action.index != position:
                yield f"{place}: action {position} has index {action.index}"
            if (action.definition_id is None) == (action.reason is None):
                yield f"{place}: action {position} has a definition or a reason, not both"
