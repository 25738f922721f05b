"""Replace every secret and personal value in a shortcut, and count the replacements per kind."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import is_not

import msgspec

from benchloom.core.records import (
    Action,
    Argument,
    ImportQuestion,
    NeedsInput,
    Redaction,
    Reference,
    Shortcut,
)
from benchloom.normalise.redaction.encoded_data import without_data
from benchloom.normalise.redaction.finders import (
    FINDERS,
    UUID_FORM,
    FlowFinder,
)
from benchloom.normalise.redaction.shadows import shadows_of
from benchloom.normalise.redaction.texts import (
    Edits,
    may_be_judged,
    may_hold,
    moved,
    redact_text,
    scan_text,
)
from benchloom.normalise.redaction.values import ValueRedactor

_ENCODER = msgspec.json.Encoder(order="sorted")
_ID = re.compile(rf'(?<="){UUID_FORM.pattern}(?=")')
"""Matches a text that is only a UUID. Inside another text it may be part of a token."""
_SHORT = 512  # Longest value whose test is cached: most are references, and those repeat.
Judged = Mapping[tuple[int, str], str]


def redact_shortcut(shortcut: Shortcut, describe: Callable[[Sequence[Action]], str]) -> Shortcut:
    """Return a redacted copy of a shortcut, or the same object if nothing had to be replaced.

    `describe` renders the workflow of changed actions. Ids and digests identify the original and do
    not change. The search repeats until it finds nothing more.
    """
    while (redacted := _searched(shortcut, describe)) is not shortcut:
        # The loop ends: every search replaces literals, and there are finitely many.
        shortcut = redacted
    return shortcut


def _searched(shortcut: Shortcut, describe: Callable[[Sequence[Action]], str]) -> Shortcut:
    counts: Counter[str] = Counter()
    judged: dict[tuple[int, str], str] = {}
    for finder in FINDERS.only(FlowFinder).values():
        judged.update(finder.find(shortcut, scan_text))
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
    # Returns the same object if nothing was replaced.
    changes: dict[str, object] = {
        name: redacted
        for name in ("identifier", "app", "uuid", "group")
        if (redacted := _silently(text := getattr(action, name))) != text
    }
    output_name = _optional(action.output_name, counts)
    if output_name != action.output_name:
        changes["output_name"] = output_name
    arguments: list[Argument] = []
    for argument in action.arguments:
        kind = judged.get((action.index, argument.name))
        may_change = kind is not None or _may_hold(argument)
        redacted_argument = (
            _argument(action.identifier, argument, kind, counts) if may_change else argument
        )
        arguments.append(redacted_argument)
    if any(map(is_not, arguments, action.arguments)):
        changes["arguments"] = tuple(arguments)
    return msgspec.structs.replace(action, **changes) if changes else action


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


def _reference(reference: Reference, edits: Mapping[str, Edits]) -> Reference:
    offset = reference.offset
    if offset is not None:
        text_location = reference.location
        while text_location not in edits and text_location:
            text_location = text_location.rpartition("/")[0]
        if text_location in edits:
            offset = moved(offset, edits[text_location])
    output = _silently(reference.output)
    path = _silently(reference.path) or ""
    location = _silently(reference.location) or ""
    return Reference(
        reference.kind, reference.action_index, output, path, location, offset, reference.length
    )


def _optional(text: str | None, counts: Counter[str]) -> str | None:
    if text is None:
        return None
    redacted = redact_text(text)
    counts.update(redacted.kinds)
    return redacted.text


def _silently(text: str | None) -> str | None:
    return redact_text(text).text if text and scan_text(text) else text


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
    # A cheap test, so that most arguments are never decoded.
    if _name_may_hold(argument.name):
        return True
    is_short = len(argument.value) <= _SHORT
    value = argument.value if is_short else without_data(argument.value)
    # References that differ only by UUID are searched once.
    texts = [_ID.sub("", shadow.text) for shadow in shadows_of(value)]
    return any(map(_short_may_hold if is_short else may_hold, texts))


@lru_cache(maxsize=1 << 12)
def _name_may_hold(name: str) -> bool:
    return may_be_judged(name) or bool(scan_text(name))


_short_may_hold = lru_cache(maxsize=1 << 15)(may_hold)


def shortcut_findings(shortcut: Shortcut) -> Iterator[str]:
    """Yield one line if a shortcut still contains a secret or personal value."""
    # The published description stays, so it is searched unchanged.
    redacted = redact_shortcut(shortcut, lambda _actions: shortcut.workflow)
    if redacted is shortcut:
        return
    before = {redaction.kind: redaction.count for redaction in shortcut.redactions}
    new_counts = {
        redaction.kind: redaction.count - before.get(redaction.kind, 0)
        for redaction in redacted.redactions
    }
    kinds = (
        ", ".join(f"{kind} {count}" for kind, count in new_counts.items() if count) or "a reference"
    )
    if redacted.workflow != shortcut.workflow:
        kinds += ", workflow"
    yield f"shortcuts: {shortcut.shortcut_id} ({shortcut.source_uri}) still contains: {kinds}"
