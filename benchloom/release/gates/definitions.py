"""Gate: an action has the definition of its API, or there is none and a reason is told."""

from collections.abc import Iterator

from benchloom.release.gates.view import GateView

_KEY = ["shortcut_id", "source_digest", "source_uri"]
_SHORTCUT = [*_KEY, "actions.identifier", "actions.definition_id"]
_CHECK = [*_KEY, "actions.index", "actions.definition_id", "actions.reason"]
Key = tuple[str, ...]
Action = dict[str, object]


def findings(release: GateView) -> Iterator[str]:
    """One line per action whose definition is of another API, or missing without being missing."""
    apis: dict[object, object] = {}
    defined: set[object] = set()
    for ident, api, app in release.rows("api_definitions", ["definition_id", "api", "app"]):
        apis[ident] = api
        if app is not None:
            defined.add(api)
    checked: dict[int, int] = {}  # by hashes: the ids of a million shortcuts take gigabytes
    for key, actions in _rows(release, "definition_checks", _CHECK):
        checked[hash(key)] = _hash(actions)
        yield from _reasons(f"definition_checks: {key[0]}", actions)
    has_checks = release.has("definition_checks")
    for key, actions in _rows(release, "shortcuts", _SHORTCUT):
        place = f"shortcuts: {key[0]}"
        for position, action in enumerate(actions):
            ident, api = action["definition_id"], action["identifier"]
            told = f"{place}: action {position} ({api})"
            if ident is None:
                if api in defined:
                    yield f"{told} has no definition_id, and its API is defined"
            elif apis.get(ident) != api:
                yield f"{told}: {ident} defines {apis.get(ident)}"
        if has_checks and checked.get(hash(key)) != _hash(actions):
            yield f"{place}: definition_checks names other definitions than its actions"


def _rows(release: GateView, table: str, columns: list[str]) -> Iterator[tuple[Key, list[Action]]]:
    """Key and actions of every row, the actions with the wanted fields only."""
    for batch in release.tables.batches(table, columns):
        for row in batch.to_pylist():
            yield tuple(row[name] for name in _KEY), row["actions"]


def _hash(actions: list[Action]) -> int:
    return hash(tuple(action["definition_id"] for action in actions))


def _reasons(place: str, actions: list[Action]) -> Iterator[str]:
    """A missing definition has its reason, any other none."""
    for position, action in enumerate(actions):
        if action["index"] != position:
            yield f"{place}: action {position} has index {action['index']}"
        if (action["definition_id"] is None) == (action["reason"] is None):
            yield f"{place}: action {position} has a definition or a reason, not both"
