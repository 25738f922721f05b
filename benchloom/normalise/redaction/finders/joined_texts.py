"""Find secrets that are split over several texts which a shortcut joins.

The texts are joined by a variable, a list or another text. Only the joined text reveals the secret;
no other finder recognises its parts. To join the texts, outputs of actions are followed as long as
they are literal, that is texts, lists, variables and joined texts. This finder also finds a value
that only the surrounding text, or the name of its variable, shows to be secret.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from benchloom.core.built_in_actions import NUMBER, TEXT, URL, VARIABLE_SETTERS, built_in
from benchloom.core.records import Action, Argument, Reference, Shortcut
from benchloom.normalise.redaction.finders import FlowFinder, Scan, Span
from benchloom.normalise.redaction.finders._names import LABELS, literal_text, secret_kind
from benchloom.normalise.redaction.placeholders import PLACEHOLDER

KIND = "joined_secret"
_SOURCES = {
    TEXT: "WFTextActionText",
    NUMBER: "WFNumberActionNumber",
    URL: "WFURLActionURL",
    **dict.fromkeys(built_in("list"), "WFItems"),
}
"""Maps an action to the parameter whose value is the action's output."""
_COMBINE = built_in("text.combine")
_APPEND = built_in("appendvariable")
_SEPARATORS = {"Spaces": " ", "New Lines": "\n"}
_LONGEST = 4096
_MAX_PARTS = 64
_LEAST_SHARE = 0.5  # Share of a text that must belong to the secret before the text is replaced.


class _Part(NamedTuple):
    text: str
    action: int
    parameter: str


_Item = tuple[_Part, ...]  # One text, put together of parts.


_Outputs = dict[int | None, tuple[_Item, ...]]  # The texts that each action outputs.


def _find(shortcut: Shortcut, scan: Scan) -> Mapping[tuple[int, str], str]:
    secret_kinds: dict[tuple[int, str], str] = {}
    action_texts: _Outputs = {}
    lists: dict[str, tuple[_Item, ...]] = {}
    for position, action in enumerate(shortcut.actions):
        if action.identifier in VARIABLE_SETTERS:
            _store(action, position, action_texts, lists, secret_kinds)
        elif action.identifier in _COMBINE:
            _combine(action, position, action_texts, secret_kinds, scan)
        else:
            for argument in action.arguments:
                is_source = argument.name == _SOURCES.get(action.identifier)
                if not any(
                    reference.action_index in action_texts for reference in argument.references
                ):
                    if is_source and not argument.references and len(argument.value) <= _LONGEST:
                        action_texts[position] = _typed(action, argument)
                    continue
                texts = _texts_of(action, argument, action_texts)
                if is_source and texts:
                    action_texts[position] = texts
                for item in texts:
                    _mark(item, secret_kinds, scan)
                for kind, part in _labelled_parts(argument, action_texts):
                    secret_kinds.setdefault((part.action, part.parameter), kind)
    return secret_kinds


def _labelled_parts(argument: Argument, action_texts: _Outputs) -> Iterator[tuple[str, _Part]]:
    """Yield (kind, part) for values whose dictionary entry or parameter is labelled as secret."""
    if len(argument.value) > 4 * _LONGEST:
        return
    value = msgspec.json.decode(argument.value)
    for reference in argument.references:
        kind = secret_kind(_label_at(value, reference.location) or argument.name)
        if kind is not None and reference.action_index is not None:
            items = action_texts.get(reference.action_index, ())
            # A part of a number does not have the form of a number.
            is_whole = len(argument.references) == len(items) == 1
            for item in items:
                yield from ((kind if is_whole else KIND, part) for part in item)


def _steps(value: object, location: str) -> Iterator[tuple[str, object]]:
    # Yields each name of a location with the value that contains it, then "" with the value there.
    for name in location.split("/")[1:]:
        yield name, value
        if isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            value = value.get(name) if isinstance(value, dict) else None
    yield "", value


def _label_at(value: object, location: str) -> str:
    """Return the label of the innermost dictionary entry around a location in a value."""
    label = ""
    for name, entry in _steps(value, location):
        if name == "WFValue" and isinstance(entry, dict):
            label = literal_text(entry.get("WFKey")) or label
    return label


def _store(
    action: Action,
    position: int,
    action_texts: _Outputs,
    lists: dict[str, tuple[_Item, ...]],
    secret_kinds: dict[tuple[int, str], str],
) -> None:
    # References to a variable have the number of the action that sets it.
    name = ""
    for argument in action.arguments:
        if argument.name == "WFVariableName" and argument.value[:1] == '"':
            name = msgspec.json.decode(argument.value, type=str)
    items = action_texts.get(_input_of(action, position, "WFInput"), ())
    if action.identifier in _APPEND:
        items = (*lists.get(name, ()), *items)[:_MAX_PARTS]
    if items:
        lists[name] = items
        action_texts[position] = items
    if secret_kind(name) is not None:
        for part in (part for item in items if len(item) > 1 for part in item):
            secret_kinds.setdefault((part.action, part.parameter), KIND)


def _combine(
    action: Action,
    position: int,
    action_texts: _Outputs,
    secret_kinds: dict[tuple[int, str], str],
    scan: Scan,
) -> None:
    values = {argument.name: argument.value.strip('"') for argument in action.arguments}
    separator = _SEPARATORS.get(values.get("WFTextSeparator", "New Lines"))
    if separator is None:
        separator = values.get("WFTextCustomSeparator", "")
    items = action_texts.get(_input_of(action, position, "text"), ())
    between = _Part(separator, position, "WFTextCustomSeparator")
    parts = [part for item in items for part in (between, *item)][1:]
    if parts and sum(len(part.text) for part in parts) <= _LONGEST:
        action_texts[position] = (tuple(parts),)
        _mark(tuple(parts), secret_kinds, scan)


def _input_of(action: Action, position: int, parameter: str) -> int:
    # The number is -1 if the action is unknown.
    for argument in action.arguments:
        if argument.name == parameter:
            indices = [reference.action_index for reference in argument.references]
            return indices[0] if len(indices) == 1 and indices[0] is not None else -1
    implicit = action.implicit_input
    if implicit is not None and implicit.action_index is not None:
        return implicit.action_index
    return position - 1


def _texts_of(action: Action, argument: Argument, action_texts: _Outputs) -> tuple[_Item, ...]:
    if len(argument.value) > 4 * _LONGEST:
        return ()
    value = msgspec.json.decode(argument.value)
    owner = _Part("", action.index, argument.name)
    return tuple(
        item
        for text_location, references in groupby(
            argument.references, lambda reference: reference.location
        )
        if (item := _joined(_text_at(value, text_location), list(references), owner, action_texts))
    )


def _typed(action: Action, argument: Argument) -> tuple[_Item, ...]:
    texts = _literals(msgspec.json.decode(argument.value))
    items = ((_Part(text, action.index, argument.name),) for text in texts if text)
    return tuple(islice(items, _MAX_PARTS))


def _literals(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for item in value:
            yield from _literals(item)
    elif isinstance(value, dict):
        for name in ("string", "Value", "WFValue"):
            if name in value:
                yield from _literals(value[name])
                return


def _text_at(value: object, location: str) -> str:
    *_, (_, end) = _steps(value, location)
    text = end.get("string") if isinstance(end, dict) else None
    return text if isinstance(text, str) else ""


def _joined(
    text: str, references: Sequence[Reference], owner: _Part, action_texts: _Outputs
) -> _Item:
    # `owner` is the argument in which the text itself was typed.
    units = text.encode("utf-16-le", "surrogatepass")
    parts: list[_Part] = []
    position = 0
    for reference in sorted(references, key=lambda ref: ref.offset or 0):
        if reference.offset is None:
            continue
        before = units[2 * position : 2 * reference.offset].decode("utf-16-le", "replace")
        parts.append(owner._replace(text=before))
        position = reference.offset + (reference.length or 1)
        items = action_texts.get(reference.action_index, ())
        if not items:
            parts.append(owner._replace(text="\ufffc"))
        else:
            parts += [part for item in items[:_MAX_PARTS] for part in item]
    parts.append(owner._replace(text=units[2 * position :].decode("utf-16-le", "replace")))
    parts = [part for part in parts if part.text][:_MAX_PARTS]
    return tuple(parts) if sum(len(part.text) for part in parts) <= _LONGEST else ()


def _mark(item: _Item, secret_kinds: dict[tuple[int, str], str], scan: Scan) -> None:
    if len(item) < 2:
        return
    text = "".join(part.text for part in item)
    start = 0
    spans = scan(text)
    for part in item:
        end = start + len(part.text)
        for span in spans:
            if _share(part.text, span, start, end) >= _LEAST_SHARE:
                secret_kinds.setdefault((part.action, part.parameter), KIND)
        start = end


def _share(text: str, span: Span, start: int, end: int) -> float:
    length = len(PLACEHOLDER.sub("", text).strip())
    covered = min(span.end, end) - max(span.start, start)
    return covered / length if length and covered > 0 else 0.0


FINDER = FlowFinder(kinds=(KIND, *LABELS), find=_find, general=(KIND,))
