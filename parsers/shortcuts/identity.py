"""Compute the two digests of a shortcut's actions: unchanged, and with generated ids renamed.

Only the identifier and the parameters of each action count: other data that editors store is
not part of the shortcut.

Two shortcuts are alpha-equivalent when they differ only in editor-generated data: UUIDs of
outputs, group identifiers and localised output names. A reference is renamed to the position of
the action it binds to, which is equivalent to numbering by first appearance and needs no second
pass; the UUID of an action is then redundant and dropped.
"""

import re

import msgspec

from benchloom.core.built_in_actions import GROUP, OUTPUT_NAME, OUTPUT_UUID, UUID, Mapping
from benchloom.core.identity import tagged_digest
from parsers.shortcuts.arguments import Scope, canonical_json
from parsers.walk import Walk

_FEW = 256
"""Editors write only a few dangling ids per action; more need the faster search."""
_REFERENCE = re.compile(rb'"OutputUUID":("(?:[^"\\]|\\.)*")')


class Identity(msgspec.Struct, frozen=True):
    """The two digests of one shortcut."""

    canonical_digest: str
    shortcut_id: str


def identify(
    actions: list[tuple[str, Mapping]], references: list[tuple[int, Mapping]], scope: Scope
) -> Identity:
    """Compute the digests of canonical actions.

    Renames ids in place: `actions` must not be used afterwards. `references` are the mappings
    that hold an OutputUUID, with the index of their action.
    """
    encoded = canonical_json(actions)
    canonical = tagged_digest("actions", encoded)
    if len({id(mapping) for _, mapping in references}) != len(references):
        # A property list may share one mapping between places that bind differently.
        actions = msgspec.json.decode(encoded, type=list[tuple[str, Mapping]])
        references = _references_of(actions)
    names = _names(actions, references, scope)
    for (_, mapping), name in zip(references, names, strict=True):
        mapping[OUTPUT_UUID] = name
        mapping.pop(OUTPUT_NAME, None)
    _rename_groups(actions)
    return Identity(canonical, tagged_digest("shortcut", canonical_json(actions)))


def _names(
    actions: list[tuple[str, Mapping]], references: list[tuple[int, Mapping]], scope: Scope
) -> list[str]:
    # O<action>, or D<number> for a dangling reference.
    dangling: dict[str, str] = {}
    by_action: dict[int, list[str]] = {}
    for index, mapping in references:
        uuid = mapping[OUTPUT_UUID]
        if type(uuid) is not str or uuid not in scope.definitions:
            by_action.setdefault(index, []).append(str(uuid))
    for index in sorted(by_action):
        # Number by place in canonical form: the order of keys in the file is not part of identity.
        for uuid in _in_order(canonical_json(actions[index]), set(by_action[index])):
            dangling.setdefault(uuid, f"D{len(dangling)}")
    names: list[str] = []
    for index, mapping in references:
        producer = scope.producer(mapping[OUTPUT_UUID], index)
        names.append(
            f"O{producer}" if producer is not None else dangling[str(mapping[OUTPUT_UUID])]
        )
    return names


def _in_order(text: bytes, uuids: set[str]) -> list[str]:
    if len(uuids) <= _FEW:
        return sorted(uuids, key=lambda u: (text.find(u.encode()), u))
    # One search per id would take quadratic time.
    numbers: dict[bytes, int] = {}
    for match in _REFERENCE.finditer(text):
        numbers.setdefault(match[1], match.start())
    return sorted(uuids, key=lambda u: (numbers.get(msgspec.json.encode(u), -1), u))


def _rename_groups(actions: list[tuple[str, Mapping]]) -> None:
    groups: dict[str, str] = {}
    for _, parameters in actions:
        parameters.pop(UUID, None)
        if GROUP in parameters and isinstance(group := parameters[GROUP], str):
            parameters[GROUP] = groups.setdefault(group, f"G{len(groups)}")


def _references_of(actions: list[tuple[str, Mapping]]) -> list[tuple[int, Mapping]]:
    references: list[tuple[int, Mapping]] = []
    for index, (_, parameters) in enumerate(actions):
        walk = Walk()
        walk.canonicalise(parameters)
        references.extend(
            (index, mapping) for mapping, _ in walk.mappings if OUTPUT_UUID in mapping
        )
    return references
