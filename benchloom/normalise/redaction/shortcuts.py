"""A shortcut with every secret and personal value replaced, and how many there were by kind."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from operator import is_not

import msgspec

from benchloom.normalise.redaction.finder import FieldFinder, TextFinder, folded
from benchloom.normalise.redaction.registry import load_finders
from benchloom.normalise.redaction.texts import Edit, moved, redact_text, without_data
from benchloom.normalise.redaction.values import ValueRedactor
from benchloom.records import (
    Action,
    Argument,
    ImportQuestion,
    NeedsInput,
    Redaction,
    Reference,
    Shortcut,
)

_ENCODER = msgspec.json.Encoder(order="sorted")
_SHORT = 512
Judged = Mapping[tuple[int, str], str]


def redact_shortcut(shortcut: Shortcut, describe: Callable[[Sequence[Action]], str]) -> Shortcut:
    """The shortcut as it may be published; itself where nothing was found.

    `describe` renders the workflow description of actions; it is called where they changed. Ids
    and digests stay those of the original. `redactions` counts the values that were replaced;
    the same name repeated in references counts once, at its definition.
    """
    counts: Counter[str] = Counter()
    judged: dict[tuple[int, str], str] = {}
    for finder in load_finders().flows.values():
        judged.update(finder.find(shortcut))
    actions = tuple([_action(action, judged, counts) for action in shortcut.actions])
    changed = any(map(is_not, actions, shortcut.actions))
    workflow = describe(actions) if changed else shortcut.workflow
    name = _optional(shortcut.name, counts)
    description = _optional(shortcut.description, counts)
    needs_input = _needs_input(shortcut.needs_input, counts)
    workflow = redact_text(workflow, rendered=True).text
    is_same = needs_input == shortcut.needs_input and workflow == shortcut.workflow
    if not counts and not changed and is_same:
        return shortcut
    for earlier in shortcut.redactions:
        counts[earlier.kind] += earlier.count
    return msgspec.structs.replace(
        shortcut,
        name=name,
        description=description,
        actions=actions,
        needs_input=needs_input,
        workflow=workflow,
        redactions=tuple(Redaction(kind, counts[kind]) for kind in sorted(counts)),
    )


def _action(action: Action, judged: Judged, counts: Counter[str]) -> Action:
    """The same object where nothing was found in it."""
    uuid = _silently(action.uuid)
    output_name = _optional(action.output_name, counts)
    arguments: list[Argument] = []
    changed = uuid != action.uuid or output_name != action.output_name
    for argument in action.arguments:
        kind = judged.get((action.index, argument.name))
        if kind is None and not _may_hold(argument):
            arguments.append(argument)
            continue
        redacted = _argument(action.identifier, argument, kind, counts)
        changed = changed or redacted is not argument
        arguments.append(redacted)
    if not changed:
        return action
    return msgspec.structs.replace(
        action, uuid=uuid, output_name=output_name, arguments=tuple(arguments)
    )


def _argument(
    identifier: str, argument: Argument, kind: str | None, counts: Counter[str]
) -> Argument:
    redactor = ValueRedactor(identifier, counts)
    name = redactor.text(argument.name)
    value = msgspec.json.decode(argument.value)
    encoded = _ENCODER.encode(redactor.field((name,), value, kind=kind)).decode()
    references = tuple([_reference(reference, redactor.edits) for reference in argument.references])
    if encoded == argument.value and name == argument.name and references == argument.references:
        return argument
    return msgspec.structs.replace(argument, name=name, value=encoded, references=references)


def _reference(reference: Reference, edits: Mapping[str, Sequence[Edit]]) -> Reference:
    offset = reference.offset
    if offset is not None:
        place = reference.location
        while place not in edits and place:
            place = place.rpartition("/")[0]
        if place in edits:
            offset = moved(offset, edits[place])
    output = _silently(reference.output)
    path = redact_text(reference.path).text
    location = redact_text(reference.location).text
    return Reference(
        reference.kind, reference.action_index, output, path, location, offset, reference.length
    )


def _optional(text: str | None, counts: Counter[str]) -> str | None:
    if text is None:
        return None
    redacted = redact_text(text)
    counts.update(span.kind for span in redacted.spans)
    return redacted.text


def _silently(text: str | None) -> str | None:
    return redact_text(text).text if text else text


def _needs_input(needs: NeedsInput, counts: Counter[str]) -> NeedsInput:
    questions = tuple(
        ImportQuestion(
            question.action_index,
            _silently(question.parameter) or "",
            _optional(question.question, counts) or "",
        )
        for question in needs.import_questions
    )
    behavior = _silently(needs.no_input_behavior)
    return msgspec.structs.replace(needs, import_questions=questions, no_input_behavior=behavior)


def _may_hold(argument: Argument) -> bool:
    """A cheap necessary condition, so that most arguments are never decoded."""
    if len(argument.value) <= _SHORT:
        return _short_may_hold(argument.name, argument.value)
    return _hinted(argument.name, without_data(argument.value))


@lru_cache(maxsize=1 << 15)
def _short_may_hold(name: str, value: str) -> bool:
    return _hinted(name, value)


def _hinted(name: str, value: str) -> bool:
    text = f"{name}\n{value}"
    plain, lowered = _hints()
    if any(hint.search(text) for hint in plain):
        return True
    low = folded(text)
    return any(hint.search(low) for hint in lowered)


@cache
def _hints() -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    """The distinct hints of all finders: those for a text as it is, and those for a folded one."""
    members: list[FieldFinder | TextFinder] = [
        *load_finders().fields.values(),
        *load_finders().texts.values(),
    ]
    plain = dict.fromkeys(member.hint for member in members if not member.folded)
    lowered = dict.fromkeys(member.hint for member in members if member.folded)
    return tuple(plain), tuple(lowered)
