"""The parameters that a request has to state, derived from the texts of a release.

The best source is a text of the kind `parameters`, in which a judge said for each value whether
the request states or implies it. Otherwise the request itself lists the values it had to state.
If neither exists, the essential parameters are unknown, and every value that is not blank
counts.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from benchloom.storage.tables import table_parts
from benchloom.storage.tables.reading import read_rows

Essential = Mapping[int, frozenset[str]]  # names of parameters by the place of their action
_COLUMNS = ["query_id", "target_id", "kind", "kept", "structured"]
_STATED_OR_IMPLIED = frozenset({"stated", "implied"})
_SAY = "say"


class _Entry(msgspec.Struct, frozen=True, gc=False):
    action_index: int
    parameter: str
    relation: str = ""
    say: str = ""


_ENTRIES = msgspec.json.Decoder(list[_Entry])


class Marks:
    """The essential parameters of a release, by request and by shortcut."""

    def __init__(self, release: Path) -> None:
        self._of_request: dict[str, Essential] = {}
        self._of_target: dict[str, Essential] = {}
        for part in table_parts(release, "queries"):
            columns = read_rows(part, _COLUMNS).to_pydict()
            for query_id, target, kind, is_kept, structured in zip(*columns.values(), strict=True):
                marks = None if structured is None else _marked(structured)
                if marks is None:
                    continue
                if kind == "parameters" and is_kept:
                    self._of_target[target] = marks
                elif kind == "query":
                    self._of_request[query_id] = marks

    def of(self, query_id: str, target_id: str) -> Essential | None:
        """Return the essential parameters of a request, None if they are unknown."""
        return self._of_target.get(target_id, self._of_request.get(query_id))


def _marked(structured: str) -> Essential | None:
    parameter_names: dict[int, set[str]] = {}
    try:
        entries = _ENTRIES.decode(structured)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    for entry in entries:
        if entry.relation in _STATED_OR_IMPLIED or entry.say == _SAY:
            parameter_names.setdefault(entry.action_index, set()).add(entry.parameter)
    return {index: frozenset(names) for index, names in parameter_names.items()}
