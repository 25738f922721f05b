"""Examples of shortcuts: actions as calls, outputs and variables as references."""

from collections.abc import Mapping

from benchloom.examples.example import Argument, Call, Example, Text
from benchloom.records import ApiDefinition, Shortcut
from benchloom.records.shortcut import Action
from benchloom.records.shortcut import Argument as ActionArgument
from benchloom.records.values import Ref, Value, from_json


def example_of_shortcut(
    shortcut: Shortcut, definitions: Mapping[str, ApiDefinition], text: Text | None = None
) -> Example:
    """The example of a shortcut, with the definitions of its actions in order of first use."""
    used = dict.fromkeys(a.definition_id for a in shortcut.actions if a.definition_id is not None)
    return Example(
        example_id=text.query_id if text else shortcut.shortcut_id,
        target_id=shortcut.shortcut_id,
        source="shortcuts",
        source_id=shortcut.shortcut_id,
        source_uri=shortcut.source_uri,
        split=shortcut.split or "",
        request=text.text if text else None,
        calls=tuple(_call(action) for action in shortcut.actions),
        definitions=tuple(definitions[name] for name in used if name in definitions),
        shortcut=shortcut,
    )


def _call(action: Action) -> Call:
    return Call(
        action.app,
        action.identifier,
        tuple(Argument(one.name, _value(one)) for one in action.arguments),
        action.definition_id or "",
        (action.output_name,) if action.output_name else (),
    )


def _value(argument: ActionArgument) -> Value:
    first = argument.references[0] if argument.references else None
    if argument.kind == "reference" and first is not None and first.action_index is not None:
        return Ref(first.action_index, first.output, first.path)
    return from_json(argument.value)
