"""Parse the bytes of a shared shortcut into a typed record, with two digests of its actions.

One digest is of the unchanged actions, the other of actions whose generated ids are renamed. Only
the identifier and the parameters of each action count: other data that editors store is not part of
the shortcut.

Two shortcuts are alpha-equivalent when they differ only in editor-generated data: UUIDs of outputs,
group identifiers and localised output names. A reference is renamed to the position of the action
it binds to, which is equivalent to numbering by first appearance and needs no second pass; the UUID
of an action is then redundant and dropped.
"""

import re

import msgspec

from benchloom.core.built_in_actions import (
    GROUP,
    OUTPUT_NAME,
    OUTPUT_UUID,
    PROMPTING,
    UUID,
    Mapping,
)
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Action, Icon, ImportQuestion, NeedsInput, Shortcut
from benchloom.core.records.shortcut import level_of, measure
from parsers.shortcuts.actions import ActionReader, text_of
from parsers.shortcuts.arguments import Scope, canonical_json
from parsers.shortcuts.containers import Root, read_root
from parsers.shortcuts.wording import describe_workflow, name_of
from parsers.walk import Walk

_SMALL_SET = 256
"""Number of dangling ids per action above which a faster search is used. Editors write only a few.
"""
_REFERENCE = re.compile(rb'"OutputUUID":("(?:[^"\\]|\\.)*")')


def identify(
    actions: list[tuple[str, Mapping]], references: list[tuple[int, Mapping]], scope: Scope
) -> tuple[str, str]:
    """Return the `canonical_digest` and the `shortcut_id` of canonical actions.

    The function renames ids in place, so `actions` must not be used afterwards. `references` are
    the mappings that contain an OutputUUID, each with the index of its action.
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
    return canonical, tagged_digest("shortcut", canonical_json(actions))


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
    if len(uuids) <= _SMALL_SET:
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


__all__ = ["parse_shortcut"]


_INT64 = 1 << 63


def parse_shortcut(data: bytes, source_uri: str) -> Shortcut:
    """Return the record of one shortcut file.

    Raises:
        ParseError: the file cannot be read; `reason` is one of the words of `rejected.reason`.
    """
    root = read_root(data)
    source_digest = tagged_digest("file", data)
    reader = ActionReader(root.actions)
    reader.read()
    reader.flags.update(root.flags)
    canonical_digest, shortcut_id = identify(reader.pairs, reader.reference_sites, reader.scope)
    measures = measure(reader.actions)
    name, name_source = name_of(root.mapping, source_uri)
    return Shortcut(
        shortcut_id=shortcut_id,
        canonical_digest=canonical_digest,
        source_digest=source_digest,
        source_uri=source_uri,
        container=root.container,
        icloud_ids=(),
        name=name,
        name_source=name_source,
        description=None,
        client_version=text_of(root.mapping.get("WFWorkflowClientVersion")),
        actions=tuple(reader.actions),
        length=measures.length,
        level=level_of(measures.length),
        unique_api_count=measures.unique_api_count,
        action_count=measures.action_count,
        needs_input=_needs_input(root, reader.actions, reader.flags),
        oddities=tuple(sorted(reader.flags | reader.scope.flags | reader.flow.flags)),
        workflow=describe_workflow(reader.actions),
        input_classes=_words(root.mapping.get("WFWorkflowInputContentItemClasses")),
        surfaces=_words(root.mapping.get("WFWorkflowTypes")),
        icon=_icon(root.mapping.get("WFWorkflowIcon")),
    )


def _needs_input(root: Root, actions: list[Action], flags: set[str]) -> NeedsInput:
    kinds = {
        kind for action in actions for argument in action.arguments for kind in argument.inputs
    }
    prompting = {action.identifier for action in actions if action.identifier in PROMPTING}
    behavior = root.mapping.get("WFWorkflowNoInputBehavior")
    return NeedsInput(
        tuple(sorted(kinds)),
        tuple(sorted(prompting)),
        text_of(behavior.get("Name")) if isinstance(behavior, dict) else None,
        _import_questions(root, flags),
    )


def _import_questions(root: Root, flags: set[str]) -> tuple[ImportQuestion, ...]:
    # Their defaults are left out.
    questions = root.mapping.get("WFWorkflowImportQuestions")
    if not isinstance(questions, list):
        return ()
    import_questions: list[ImportQuestion] = []
    for question in questions:
        if not isinstance(question, dict):
            flags.add("malformed_import_question")
            continue
        index = question.get("ActionIndex")
        if type(index) is not int or not 0 <= index < len(root.actions):
            flags.add("import_question_out_of_range")
            index = None
        import_questions.append(
            ImportQuestion(
                index,
                text_of(question.get("ParameterKey")) or "",
                text_of(question.get("Text")) or "",
            )
        )
    return tuple(import_questions)


def _words(value: object) -> tuple[str, ...]:
    return tuple(word for word in value if isinstance(word, str)) if isinstance(value, list) else ()


def _icon(value: object) -> Icon | None:
    if not isinstance(value, dict):
        return None
    color, glyph = (
        number if type(number) is int and -_INT64 <= number < _INT64 else None
        for number in map(value.get, ("WFWorkflowIconStartColor", "WFWorkflowIconGlyphNumber"))
    )
    return Icon(color, glyph)
