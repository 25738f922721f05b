"""Read the actions of a shortcut in order, with their arguments, control flow and references."""

from collections.abc import Sequence

from benchloom.core.built_in_actions import (
    CUSTOM_OUTPUT_NAME,
    GROUP,
    IDENTIFIER,
    MODE,
    OUTPUT_UUID,
    PARAMETERS,
    STRUCTURAL_PARAMETERS,
    SYSTEM_APP,
    SYSTEM_PREFIX,
    UUID,
    VARIABLE_SETTERS,
    Mapping,
)
from benchloom.core.records import Action, Argument
from parsers.shortcuts.arguments import Scope, Site, has_placeholders, read_argument
from parsers.shortcuts.control_flow import ControlFlow, control_flow
from parsers.walk import Walk, canonical_scalar

_INT32 = 1 << 31
_IDS = (UUID, GROUP, MODE)


class ActionReader:
    """Reads the actions of a shortcut from its decoded property list.

    It changes the decoded values in place to the form that the tables contain.
    """

    def __init__(self, raw: Sequence[object]) -> None:
        self.flags: set[str] = set()
        self.pairs = [self._pair(action) for action in raw]
        definitions: dict[str, list[int]] = {}
        for index, (_, parameters) in enumerate(self.pairs):
            uuid = parameters.get(UUID)
            if isinstance(uuid, str):
                definitions.setdefault(uuid, []).append(index)
        if any(len(indices) > 1 for indices in definitions.values()):
            self.flags.add("duplicate_uuid")
        self.scope = Scope(definitions)
        self.flow: ControlFlow = control_flow(self.pairs)
        self.actions: list[Action] = []
        self.reference_sites: list[tuple[int, Mapping]] = []
        self._walk = Walk()

    def _pair(self, action: object) -> tuple[str, Mapping]:
        if not isinstance(action, dict):
            self.flags.add("malformed_action")
            return "", {}
        identifier = action.get(IDENTIFIER)
        parameters = action.get(PARAMETERS)
        if not isinstance(identifier, str):
            self.flags.add("missing_identifier")
            identifier = ""
        if not isinstance(parameters, dict):
            if PARAMETERS in action:
                self.flags.add("malformed_parameters")
            parameters = {}
        return identifier, parameters

    def read(self) -> None:
        """Read every action in order, and add it to `actions`."""
        scope, positions = self.scope, self.flow.positions
        running = scope.running
        for index, (identifier, parameters) in enumerate(self.pairs):
            position = positions[index]
            control = position.control
            arguments = self._arguments(index, parameters) if parameters else ()
            uuid, group, mode = map(parameters.get, _IDS)
            sets_variable = identifier in VARIABLE_SETTERS
            action = Action(
                index,
                identifier,
                SYSTEM_APP
                if identifier.startswith(SYSTEM_PREFIX)
                else _app_of(identifier, parameters),
                position.depth,
                position.block,
                position.branch,
                control,
                uuid if uuid is None or type(uuid) is str else text_of(uuid),
                text_of(parameters[CUSTOM_OUTPUT_NAME])
                if CUSTOM_OUTPUT_NAME in parameters
                else None,
                arguments,
                None,
                running.implicit_input(identifier, control, arguments)
                if sets_variable or control == "open"
                else None,
                group if isinstance(group, str) else None,
                mode if type(mode) is int and _has_column(MODE, mode) else None,
            )
            self.actions.append(action)
            running.follow(action)
            if sets_variable:
                name = parameters.get("WFVariableName")
                if isinstance(name, str):
                    scope.variables[name] = index

    def _arguments(self, index: int, parameters: Mapping) -> tuple[Argument, ...]:
        walk = self._walk
        arguments: list[Argument] = []
        for name in sorted(parameters):
            value = parameters[name]
            kind = type(value)
            if kind is dict or kind is list:
                walk.canonicalise(value)  # type: ignore[arg-type]  # a container, by its type
            elif kind is not str and kind is not bool:
                value = parameters[name] = canonical_scalar(value)
            sites: list[Site] = []
            if walk.mappings:
                sites, walk.mappings = walk.mappings, sites
                self.reference_sites += [
                    (index, site[0]) for site in sites if OUTPUT_UUID in site[0]
                ]
            if name not in STRUCTURAL_PARAMETERS or not _has_column(name, value):
                arguments.append(read_argument(name, value, sites, index, self.scope))
        if walk.texts:
            if not all(map(has_placeholders, walk.texts)):
                self.flags.add("range_without_placeholder")
            walk.texts.clear()
        return tuple(arguments)


def _has_column(name: str, value: object) -> bool:
    if name == MODE:
        return type(value) is int and -_INT32 <= value < _INT32
    return isinstance(value, str)


def _app_of(identifier: str, parameters: Mapping) -> str:
    for key in ("AppIntentDescriptor", "IntentAppDefinition"):
        descriptor = parameters.get(key)
        if isinstance(descriptor, dict):
            bundle = descriptor.get("BundleIdentifier")
            if isinstance(bundle, str) and bundle:
                return bundle
    return identifier.rpartition(".")[0] or identifier


def text_of(value: object) -> str | None:
    """Return a text unchanged, a number as text, and None for any other value."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None
