"""A release gate: every action must name the definition of its API, or a reason why it has none."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.release.gates.view import GateView

_KEY = ["shortcut_id", "source_digest", "source_uri"]
_SHORTCUT = [*_KEY, "actions.identifier", "actions.definition_id"]
_CHECK = [*_KEY, "actions.index", "actions.definition_id", "actions.reason"]
Action = dict[str, object]
Numbers = npt.NDArray[np.int64]


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per action of a shortcut whose API definition is wrong or missing."""
    apis: dict[object, object] = {}
    defined: set[object] = set()
    for definition_id, api, app in release.rows("api_definitions", ["definition_id", "api", "app"]):
        apis[definition_id] = api
        if app is not None:
            defined.add(api)
    ids, names = pa.array(apis, pa.string()), pa.array(defined, pa.string())
    api_names = pa.array(apis.values(), pa.string())
    # Checks whole columns; only faulty rows become objects.
    undefined: dict[object, int] = {}
    checked: set[int] = set()  # hashes: the ids of a million shortcuts take gigabytes
    for batch in release.batches("definition_checks", _CHECK):
        checked.update(_hashes(batch, ids, undefined))
        for number in _lists_without(_have_reasons, batch.column("actions")):
            row = batch.slice(number, 1).to_pylist()[0]
            yield from _reasons(f"definition_checks: {row['shortcut_id']}", row["actions"])
    has_checks = release.has("definition_checks")
    consistent = partial(_are_consistent, ids=ids, apis=api_names, names=names)
    for batch in release.batches("shortcuts", _SHORTCUT):
        differing = [
            number
            for number, digest in enumerate(_hashes(batch, ids, undefined) if has_checks else ())
            if digest not in checked
        ]
        for number in sorted({*differing, *_lists_without(consistent, batch.column("actions"))}):
            row = batch.slice(number, 1).to_pylist()[0]
            location = f"shortcuts: {row['shortcut_id']}"
            for position, action in enumerate(row["actions"]):
                definition_id, api = action["definition_id"], action["identifier"]
                action_location = f"{location}: action {position} ({api})"
                if definition_id is None:
                    if api in defined:
                        yield f"{action_location} has no definition_id, although its API is defined"
                elif apis.get(definition_id) != api:
                    yield f"{action_location}: {definition_id} defines {apis.get(definition_id)}"
            if number in differing:
                yield f"{location}: definition_checks and the actions have different definitions"


def _lists_without(rule: Callable[[pa.Array], pa.Array], lists: pa.Array) -> list[int]:
    numbers: list[int] = pc.list_parent_indices(lists).filter(pc.invert(rule(lists))).to_pylist()
    return list(dict.fromkeys(numbers))


def _have_reasons(lists: pa.Array) -> pa.Array:
    actions = pc.list_flatten(lists)
    lengths = _lengths(lists)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    index = pc.struct_field(actions, "index").fill_null(-1).to_numpy(zero_copy_only=False)
    names = (pc.struct_field(actions, name).is_valid() for name in ("definition_id", "reason"))
    return pc.and_(pc.xor(*names), pa.array(index == np.arange(len(starts)) - starts))


def _are_consistent(lists: pa.Array, *, ids: pa.Array, apis: pa.Array, names: pa.Array) -> pa.Array:
    actions = pc.list_flatten(lists)
    api, definition_ids = (
        pc.struct_field(actions, name) for name in ("identifier", "definition_id")
    )
    same = pc.equal(pc.take(apis, pc.index_in(definition_ids, ids)), api).fill_null(
        fill_value=False
    )
    return pc.if_else(definition_ids.is_valid(), same, pc.invert(pc.is_in(api, names)))


def _hashes(batch: pa.RecordBatch, ids: pa.Array, undefined: dict[object, int]) -> Iterator[int]:
    # Definitions are hashed as positions in `ids`, unknown ids as negative numbers.
    lists = batch.column("actions")
    definition_ids = pc.struct_field(pc.list_flatten(lists), "definition_id")
    positions = pc.index_in(definition_ids, ids)
    numbers = positions.fill_null(-1).to_numpy(zero_copy_only=False).copy()
    for at in np.flatnonzero(pc.and_(positions.is_null(), definition_ids.is_valid())):
        numbers[at] = undefined.setdefault(definition_ids[at].as_py(), -2 - len(undefined))
    number_bytes, width = numbers.tobytes(), numbers.itemsize
    ends = (np.cumsum(_lengths(lists)) * width).tolist()
    keys = zip(*(batch.column(name).to_pylist() for name in _KEY), strict=True)
    for key, start, end in zip(keys, [0, *ends], ends, strict=False):
        yield hash((key, number_bytes[start:end]))


def _lengths(lists: pa.Array) -> Numbers:
    lengths = pc.list_value_length(lists).fill_null(0)
    row_lengths: Numbers = lengths.to_numpy(zero_copy_only=False).astype(np.int64)
    return row_lengths


def _reasons(location: str, actions: list[Action]) -> Iterator[str]:
    for position, action in enumerate(actions):
        if action["index"] != position:
            yield f"{location}: action {position} has index {action['index']}"
        if (action["definition_id"] is None) == (action["reason"] is None):
            yield f"{location}: action {position} must have either a definition or a reason"
