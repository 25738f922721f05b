"""Shared shortcuts: bytes in, one typed record out."""

from benchloom.core.built_in_actions import PROMPTING, UNCOUNTED_OR_NONE
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Action, Icon, ImportQuestion, NeedsInput, Shortcut
from benchloom.core.records.shortcut import level_of
from parsers.shortcuts.actions import ActionReader, text_of
from parsers.shortcuts.containers import Root, read_root
from parsers.shortcuts.identity import identify
from parsers.shortcuts.wording import describe_workflow, name_of

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
        client_version=text_of(root.mapping.get("WFWorkflowClientVersion")),
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
