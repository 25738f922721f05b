"""Mutate decoded values by replacing values of a tree with odd ones."""

import copy
import datetime
import json
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from tests.fuzz.mutations import mutate_bytes

_DEEP = 40
_ODD: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63), 1.5, -0.0, 1e308,
    "", " ", "0", "1", "NO", "\x00", "\ufffc", "a" * 3000, "{0, 1}", "😀", "..", "a.b.c", "$(x)",
    [], {}, [[]], [{}], {"": ""}, {"a": {"a": {"a": {}}}}, [None], [0, "a"], {"wrapper": []},
)  # fmt: skip
_ODD_IN_PROPERTY_LISTS: tuple[object, ...] = (
    b"", b"\x00\xff", b"bplist00", datetime.datetime(2001, 1, 1), datetime.datetime(1, 1, 1),
)  # fmt: skip


def mutate_json(chance: Random, files: Sequence[bytes], words: tuple[bytes, ...]) -> bytes:
    """Mutate one of some JSON files; half of the mutants are valid JSON with odd values."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            tree = mutate_tree(chance, json.loads(chance.choice(files)), property_list=False)
            return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode()
    return mutate_bytes(chance, files, words)


def mutate_tree(chance: Random, root: object, *, property_list: bool) -> object:
    """Return a copy of a tree with one to three changes, without null for property lists."""
    tree = copy.deepcopy(root)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        locations = _locations(tree)
        if not locations:
            return odd_value(chance, property_list=property_list)
        parent, key = chance.choice(locations)
        _change(chance, parent, key, property_list=property_list)
    return tree


def odd_value(chance: Random, *, property_list: bool) -> object:
    """Return a value that readers do not expect."""
    choices = (*_ODD, *_ODD_IN_PROPERTY_LISTS) if property_list else _ODD
    value = copy.deepcopy(chance.choice(choices))
    if property_list:
        return "null" if value is None or value == [None] else value
    return value


def _locations(tree: object) -> list[tuple[dict[str, object] | list[object], str | int]]:
    """Return every container in a tree with each of its keys."""
    locations: list[tuple[dict[str, object] | list[object], str | int]] = []
    pending = [tree]
    visited: set[int] = set()
    while pending:
        value = pending.pop()
        if id(value) in visited:
            continue  # a property list may contain a value often, even itself
        if isinstance(value, (dict, list)):
            visited.add(id(value))
        if isinstance(value, dict):
            locations.extend((value, key) for key in value)
            pending.extend(value.values())
        elif isinstance(value, list):
            locations.extend((value, index) for index in range(len(value)))
            pending.extend(value)
    return locations


def _change(
    chance: Random,
    parent: dict[str, object] | list[object],
    key: str | int,
    *,
    property_list: bool,
) -> None:
    old = parent[key]  # type: ignore[index]  # a list or a mapping
    kind = chance.randrange(8)
    new: object
    if kind == 0:
        del parent[key]  # type: ignore[arg-type]  # a list or a mapping
        return
    if kind == 1 and isinstance(parent, dict):
        parent[str(odd_value(chance, property_list=property_list))[:40]] = parent.pop(str(key))
        return
    if kind == 2:
        new = [old]
    elif kind == 3:
        new = {str(key): old}
    elif kind == 4:
        new = old
        for _ in range(chance.randrange(2, _DEEP)):
            new = [new] if chance.random() < 0.5 else {str(key): new}
    elif kind == 5 and isinstance(old, str):
        new = old[: len(old) // 2] + chance.choice(("", "\x07", "{", "${x}", ",,("))
    else:
        new = odd_value(chance, property_list=property_list)
    parent[key] = new  # type: ignore[index]  # a list or a mapping
