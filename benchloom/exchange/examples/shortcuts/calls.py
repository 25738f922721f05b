"""Convert shortcuts to examples: each action becomes a call, outputs and variables references.

Call number n is action n. Control actions are calls like any other, with the arguments of their
definitions: `GroupingIdentifier` names the block of a control action, and `WFControlFlowMode`
states whether the action opens (0), divides (1) or closes (2) the block.

An input that an action takes implicitly is listed among its arguments. If only one call can have
set a variable, the variable becomes a reference to the result of that call. Otherwise it is written
by its name.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from benchloom.core.identity import digest_of_parts
from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.core.records.shortcut import Action, Reference
from benchloom.core.records.shortcut import Argument as ActionArgument
from benchloom.core.records.values import Ref, RuntimeValue, refs_in
from benchloom.exchange.examples.example import Argument, Call, Example, Finding, Text
from benchloom.exchange.examples.shortcuts.scopes import Scopes
from benchloom.exchange.examples.shortcuts.values import DamagedValueError, value_of
from benchloom.normalise.definitions.control_definitions import control_definitions

INPUT = "WFInput"  # the usual name of the parameter that takes an input
FINDINGS = {
    "dangling_reference": "A value refers to a result that no action of the shortcut returns.",
    "forward_reference": "A value refers to a result that only a later call returns.",
    "repeated_input": "The implicit input has the same name as an explicit argument.",
    "reference_without_place": "The row lists a reference that the argument's value lacks.",
    "damaged_value": "A value that is not valid JSON is written as a text.",
    "too_deep": "A value that is nested too deeply is written as JSON in a text.",
}
_MODES = {"open": 0, "branch": 1, "close": 2}
_OF_CONTROL = {control.definition_id: control for control in control_definitions()}
_CONTROL_IDS = {control.api: control.definition_id for control in _OF_CONTROL.values()}


def example_of_shortcut(
    shortcut: Shortcut, definitions: Mapping[str, ApiDefinition], text: Text | None = None
) -> Example:
    """Convert a shortcut and a request for it (`text`) to an example.

    The definitions of its actions are in the order of first use.
    """
    reading = _Reading(shortcut.actions)
    calls = reading.calls()
    used = dict.fromkeys(call.definition_id for call in calls)
    action_definitions = (_OF_CONTROL.get(name) or definitions.get(name) for name in used)
    return Example(
        example_id=text.query_id if text else _own_id(shortcut),
        target_id=shortcut.shortcut_id,
        source="shortcuts",
        source_id=shortcut.shortcut_id,
        source_uri=shortcut.source_uri,
        split=shortcut.split or "",
        request=text.text if text else None,
        rejected=text.rejected if text else None,
        calls=calls,
        definitions=tuple(
            definition for definition in action_definitions if definition is not None
        ),
        findings=tuple(reading.findings),
        shortcut=shortcut,
    )


def _own_id(shortcut: Shortcut) -> str:
    """Return a unique id for a row of `shortcuts`.

    The shortcut id is not unique for shortcuts without actions, which all have the same id.
    """
    if shortcut.actions:
        return shortcut.shortcut_id
    key = (shortcut.shortcut_id, shortcut.source_digest, shortcut.source_uri)
    return digest_of_parts("shortcut_row", key)


class _Reading:
    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions
        self._scopes = Scopes(actions)
        self._at = 0
        self.findings: list[Finding] = []

    def calls(self) -> tuple[Call, ...]:
        action_arguments: list[tuple[Argument, ...]] = []
        outputs: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for index, action in enumerate(self._actions):
            self._at = index
            self._scopes.enter(index)
            if action.output_name:
                outputs[index][action.output_name] = None
            arguments = (*self._control(action), *map(self._argument, action.arguments))
            action_arguments.append((*arguments, *self._implicit(action, arguments)))
            for argument in action_arguments[-1]:
                for ref in refs_in(argument.value):
                    if ref.output is not None:
                        outputs[ref.step][ref.output] = None
        return tuple(
            Call(
                action.app,
                action.identifier,
                arguments,
                _definition_id(action),
                tuple(outputs[index]),
                depth=action.depth,
            )
            for index, (action, arguments) in enumerate(
                zip(self._actions, action_arguments, strict=True)
            )
        )

    def _control(self, action: Action) -> tuple[Argument, ...]:
        if action.control is None:
            return ()
        return (
            Argument("GroupingIdentifier", f"block_{action.block}"),
            Argument("WFControlFlowMode", _MODES[action.control]),
        )

    def _argument(self, argument: ActionArgument) -> Argument:
        try:
            value, left = value_of(argument, self._resolve)
        except DamagedValueError as error:
            self._find(error.kind, argument.name)
            return Argument(argument.name, argument.value)
        for _ in left:
            self._find("reference_without_place", argument.name)
        return Argument(argument.name, value)

    def _implicit(self, action: Action, arguments: Sequence[Argument]) -> tuple[Argument, ...]:
        if action.implicit_input is None:
            return ()
        name = action.implicit_input.location or INPUT
        if any(argument.name == name for argument in arguments):
            self._find("repeated_input", name)
        return (Argument(name, self._resolve(action.implicit_input)),)

    def _resolve(self, reference: Reference) -> Ref | RuntimeValue:
        step, name = reference.action_index, reference.output
        if reference.kind == "variable" and name is not None:
            if step is not None and self._scopes.sets_alone(step, name):
                return Ref(step, name, reference.path)
            return RuntimeValue("variable", name, reference.path)
        if step is not None and 0 <= step < self._at:
            return Ref(step, name, reference.path)
        if reference.kind == "implicit" and step is None and name is not None:
            return RuntimeValue("input", name, reference.path)
        kind = "dangling_reference" if step is None else "forward_reference"
        self._find(kind, name or "")
        return RuntimeValue("missing", name or "", reference.path)

    def _find(self, kind: str, what: str) -> None:
        self.findings.append(Finding(kind, f"call {self._at}: {what}"))


def _definition_id(action: Action) -> str:
    # The system's definitions of control actions lack group and mode; this project's have them.
    return _CONTROL_IDS.get(action.identifier) or action.definition_id or ""
