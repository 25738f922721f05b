"""Gate: every action has the definition of its API, or a reason why there is none."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.release.gates.view import GateView

_KEY = ["shortcut_id", "source_digest", "source_uri"]
_SHORTCUT = [*_KEY, "actions.identifier", "actions.definition_id"]
_CHECK = [*_KEY, "actions.index", "actions.definition_id", "actions.reason"]
Key = tuple[str, ...]
Action = dict[str, object]
Numbers = npt.NDArray[np.int64]


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per action with a wrong definition, or without its existing definition."""
    if _are_definitions_valid(release):
        return
    apis: dict[object, object] = {}
    defined: set[object] = set()
    for definition_id, api, app in release.rows("api_definitions", ["definition_id", "api", "app"]):
        apis[definition_id] = api
        if app is not None:
            defined.add(api)
    checked: dict[int, int] = {}  # by hashes: the ids of a million shortcuts take gigabytes
    for key, actions in _rows(release, "definition_checks", _CHECK):
        checked[hash(key)] = _hash(actions)
        yield from _reasons(f"definition_checks: {key[0]}", actions)
    has_checks = release.has("definition_checks")
    for key, actions in _rows(release, "shortcuts", _SHORTCUT):
        location = f"shortcuts: {key[0]}"
        for position, action in enumerate(actions):
            definition_id, api = action["definition_id"], action["identifier"]
            action_location = f"{location}: action {position} ({api})"
            if definition_id is None:
                if api in defined:
                    yield f"{action_location} has no definition_id, and its API is defined"
            elif apis.get(definition_id) != api:
                yield f"{action_location}: {definition_id} defines {apis.get(definition_id)}"
        if has_checks and checked.get(hash(key)) != _hash(actions):
            yield f"{location}: definition_checks names other definitions than its actions"


def _are_definitions_valid(release: GateView) -> bool:
    # Checked column by column, without building rows.
    defined = release.columns("api_definitions", ["definition_id", "api", "app"])
    idents, apis = (defined[name].combine_chunks() for name in ("definition_id", "api"))
    if len(pc.unique(idents)) < len(idents):
        return False  # the contract gate has named it
    named = apis.filter(defined["app"].combine_chunks().is_valid())
    checked: set[int] = set()
    for batch in release.batches("definition_checks", _CHECK):
        if not _has_reasons(batch.column("actions")):
            return False
        checked.update(_hashes(batch, idents))
    has_checks = release.has("definition_checks")
    for batch in release.batches("shortcuts", _SHORTCUT):
        if not _fits(batch.column("actions"), idents, apis, named):
            return False
        if has_checks and not checked.issuperset(_hashes(batch, idents)):
            return False
    return True


def _has_reasons(lists: pa.Array) -> bool:
    actions = pc.list_flatten(lists)
    lengths = _lengths(lists)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    index = pc.struct_field(actions, "index").fill_null(-1).to_numpy(zero_copy_only=False)
    names = (pc.struct_field(actions, name).is_valid() for name in ("definition_id", "reason"))
    is_told = pc.all(pc.xor(*names), min_count=0).as_py()
    return bool(is_told) and np.array_equal(index, np.arange(len(starts)) - starts)


def _fits(lists: pa.Array, idents: pa.Array, apis: pa.Array, named: pa.Array) -> bool:
    actions = pc.list_flatten(lists)
    api, definition_ids = (
        pc.struct_field(actions, name) for name in ("identifier", "definition_id")
    )
    same = pc.equal(pc.take(apis, pc.index_in(definition_ids, idents)), api).fill_null(
        fill_value=False
    )
    fits = pc.if_else(definition_ids.is_valid(), same, pc.invert(pc.is_in(api, named)))
    return bool(pc.all(fits, min_count=0).as_py())


def _hashes(batch: pa.RecordBatch, idents: pa.Array) -> Iterator[int]:
    # Definitions are hashed as positions in `idents`.
    lists = batch.column("actions")
    definition_ids = pc.struct_field(pc.list_flatten(lists), "definition_id")
    unknown = pc.if_else(definition_ids.is_valid(), -2, -1).cast(pa.int32())
    numbers = pc.coalesce(pc.index_in(definition_ids, idents), unknown).to_numpy(
        zero_copy_only=False
    )
    number_bytes, width = numbers.tobytes(), numbers.itemsize
    ends = (np.cumsum(_lengths(lists)) * width).tolist()
    keys = zip(*(batch.column(name).to_pylist() for name in _KEY), strict=True)
    for key, start, end in zip(keys, [0, *ends], ends, strict=False):
        yield hash((key, number_bytes[start:end]))


def _lengths(lists: pa.Array) -> Numbers:
    lengths = pc.list_value_length(lists).fill_null(0)
    row_lengths: Numbers = lengths.to_numpy(zero_copy_only=False).astype(np.int64)
    return row_lengths


def _rows(release: GateView, table: str, columns: list[str]) -> Iterator[tuple[Key, list[Action]]]:
    for batch in release.tables.batches(table, columns):
        for row in batch.to_pylist():
            yield tuple(row[name] for name in _KEY), row["actions"]


def _hash(actions: list[Action]) -> int:
    return hash(tuple(action["definition_id"] for action in actions))


def _reasons(location: str, actions: list[Action]) -> Iterator[str]:
    for position, action in enumerate(actions):
        if action["index"] != position:
            yield f"{location}: action {position} has index {action['index']}"
        if (action["definition_id"] is None) == (action["reason"] is None):
            yield f"{location}: action {position} has a definition or a reason, not both"
