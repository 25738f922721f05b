"""The whole way from the bytes of a shortcut file to its record."""

from benchloom.built_in_actions import SYSTEM_PREFIX, UNCOUNTED_OR_NONE, VARIABLE_SETTERS
from benchloom.identity import tagged_digest
from benchloom.records import (
    Action,
    Argument,
    Icon,
    ImportQuestion,
    NeedsInput,
    Shortcut,
)
from benchloom.records.shortcut import level_of
from benchloom.shortcut_tokens import OUTPUT_UUID, Mapping
from parsers.shortcuts.arguments import canonical_text, read_argument
from parsers.shortcuts.containers import Root, read_root
from parsers.shortcuts.control_flow import ControlFlow, control_flow
from parsers.shortcuts.identity import identify
from parsers.shortcuts.tokens import Scope, Site, has_placeholders
from parsers.shortcuts.vocabulary import (
    CUSTOM_OUTPUT_NAME,
    GROUP,
    IDENTIFIER,
    MODE,
    PARAMETERS,
    PROMPTING,
    STRUCTURAL_PARAMETERS,
    UUID,
)
from parsers.shortcuts.wording.names import name_of
from parsers.shortcuts.wording.workflow import describe_workflow
from parsers.walk import Walk, canonical_scalar

_INT32, _INT64 = 1 << 31, 1 << 63


def parse_shortcut(data: bytes, source_uri: str) -> Shortcut:
    """The record of one shortcut file.

    Raises:
        ParseError: the file cannot be read; `reason` is one of the words of `rejected.reason`.
    """
    root = read_root(data)
    source_digest = tagged_digest("file", data)
    reader = _ActionReader(root)
    reader.read()
    reader.flags.update(root.flags)
    identity = identify(reader.pairs, reader.reference_sites, reader.scope)
    pairs = reader.pairs
    name, name_source = name_of(root.mapping, source_uri)
    counted = {identifier for identifier, _ in pairs if identifier not in UNCOUNTED_OR_NONE}
    return Shortcut(
        shortcut_id=identity.shortcut_id,
        canonical_digest=identity.canonical_digest,
        source_digest=source_digest,
        source_uri=source_uri,
        container=root.container,
        icloud_ids=(),
        name=name,
        name_source=name_source,
        description=None,
        client_version=_text(root.mapping.get("WFWorkflowClientVersion")),
        actions=tuple(reader.actions),
        length=reader.flow.length,
        level=level_of(reader.flow.length),
        unique_api_count=len(counted),
        action_count=len(pairs),
        needs_input=_needs_input(root, reader.actions, reader.flags),
        oddities=tuple(sorted(reader.flags | reader.scope.flags | reader.flow.flags)),
        workflow=describe_workflow(reader.actions),
        input_classes=_words(root.mapping.get("WFWorkflowInputContentItemClasses")),
        surfaces=_words(root.mapping.get("WFWorkflowTypes")),
        icon=_icon(root.mapping.get("WFWorkflowIcon")),
    )


class _ActionReader:
    """Reads the actions of one root; makes their values canonical in place."""

    def __init__(self, root: Root) -> None:
        self.flags: set[str] = set()
        self.pairs = [self._pair(action) for action in root.actions]
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
        """Identifier and parameters of a raw action; oddities are flagged."""
        if not isinstance(action, dict):
            self.flags.add("malformed_action")
            return "", {}
        identifier = action.get(IDENTIFIER)
        parameters = action.get(PARAMETERS, {})
        if not isinstance(identifier, str):
            self.flags.add("missing_identifier")
            identifier = ""
        if not isinstance(parameters, dict):
            self.flags.add("malformed_parameters")
            parameters = {}
        return identifier, parameters

    def read(self) -> None:
        """Read every action in order."""
        running = self.scope.running
        for (identifier, parameters), position in zip(self.pairs, self.flow.positions, strict=True):
            index = len(self.actions)
            arguments = self._arguments(index, parameters)
            group, mode = parameters.get(GROUP), parameters.get(MODE)
            action = Action(
                index,
                identifier,
                app_of(identifier, parameters),
                position.depth,
                position.block,
                position.branch,
                position.control,
                _text(parameters.get(UUID)),
                _text(parameters.get(CUSTOM_OUTPUT_NAME)),
                arguments,
                None,
                running.implicit_input(identifier, position.control, arguments),
                group if isinstance(group, str) else None,
                mode if type(mode) is int and _has_column(MODE, mode) else None,
            )
            self.actions.append(action)
            running.follow(action)
            if identifier in VARIABLE_SETTERS:
                name = parameters.get("WFVariableName")
                if isinstance(name, str):
                    self.scope.variables[name] = index

    def _arguments(self, index: int, parameters: Mapping) -> tuple[Argument, ...]:
        walk = self._walk
        arguments: list[Argument] = []
        for name in sorted(parameters):
            value = parameters[name]
            kind = type(value)
            if kind is str or kind is bool:
                if name not in STRUCTURAL_PARAMETERS or not _has_column(name, value):
                    arguments.append(Argument(name, "literal", canonical_text(value)))
                continue
            if kind is dict or kind is list:
                walk.canonicalise(value)  # type: ignore[arg-type]
            else:
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
    """Whether a structural parameter is told by a column of its action, and is no argument."""
    if name == MODE:
        return type(value) is int and -_INT32 <= value < _INT32
    return isinstance(value, str)


def app_of(identifier: str, parameters: Mapping) -> str:
    """The app that provides an action: from its descriptor, else from its identifier."""
    if identifier.startswith(SYSTEM_PREFIX):
        return SYSTEM_PREFIX[:-1]
    for key in ("AppIntentDescriptor", "IntentAppDefinition"):
        descriptor = parameters.get(key)
        if isinstance(descriptor, dict):
            bundle = descriptor.get("BundleIdentifier")
            if isinstance(bundle, str) and bundle:
                return bundle
    return identifier.rpartition(".")[0] or identifier


def _needs_input(root: Root, actions: list[Action], flags: set[str]) -> NeedsInput:
    kinds = {
        kind for action in actions for argument in action.arguments for kind in argument.inputs
    }
    prompting = {action.identifier for action in actions if action.identifier in PROMPTING}
    behavior = root.mapping.get("WFWorkflowNoInputBehavior")
    return NeedsInput(
        tuple(sorted(kinds)),
        tuple(sorted(prompting)),
        _text(behavior.get("Name")) if isinstance(behavior, dict) else None,
        _import_questions(root, flags),
    )


def _import_questions(root: Root, flags: set[str]) -> tuple[ImportQuestion, ...]:
    """Questions asked at installation, without their defaults."""
    questions = root.mapping.get("WFWorkflowImportQuestions")
    if not isinstance(questions, list):
        return ()
    found: list[ImportQuestion] = []
    for question in questions:
        if not isinstance(question, dict):
            flags.add("malformed_import_question")
            continue
        index = question.get("ActionIndex")
        if type(index) is not int or not 0 <= index < len(root.actions):
            flags.add("import_question_out_of_range")
            index = None
        found.append(
            ImportQuestion(
                index,
                _text(question.get("ParameterKey")) or "",
                _text(question.get("Text")) or "",
            )
        )
    return tuple(found)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None


def _words(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _icon(value: object) -> Icon | None:
    if not isinstance(value, dict):
        return None
    color, glyph = (
        number if type(number) is int and -_INT64 <= number < _INT64 else None
        for number in map(value.get, ("WFWorkflowIconStartColor", "WFWorkflowIconGlyphNumber"))
    )
    return Icon(color, glyph)
