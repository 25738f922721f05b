"""Parse SiriKit intent definitions, which are XML property lists of model 1.0, 1.1 or 1.2."""

from benchloom.core.records import ApiDefinition, Note, Return, Summary
from parsers.definitions import DefinitionContext, ParsedDefinitions
from parsers.definitions.documents import Mapping, read_document
from parsers.definitions.intentdefinition.types import (
    IntentTypes,
    read_enumerations,
    read_parameter,
)
from parsers.definitions.values import list_of, mapping_of, parse_entries, text_of, words
from parsers.definitions.wfactions.summaries import placeholders
from parsers.errors import ParseError

_KEYS = words(
    """Category ClassName ClassPrefix Configurable Customizable DefaultImageName Description
    DescriptionID Domain EligibleForWidgets Hash IneligibleForSuggestions Input KeyParameter
    LastParameterTag ManagedParameterCombinations Name ParameterCombinations Parameters Response
    Restrictions Title TitleID Type UserConfirmationRequired Verb"""
)
_TITLE = "INIntentParameterCombinationTitle"


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the intents of a file; raise ParseError if it has no list of intents."""
    document = read_document(data)
    root = document.root
    if not isinstance(root, dict) or not isinstance(root.get("INIntents"), list):
        raise ParseError("not_a_definition", "the property list has no list 'INIntents'")
    enumerations = read_enumerations(root, context.texts)
    entries = [
        (str(mapping_of(intent).get("INIntentName") or f"INIntents/{index}"), intent)
        for index, intent in enumerate(list_of(root["INIntents"]))
    ]
    return parse_entries(
        data,
        context,
        "sirikit",
        entries,
        lambda _, intent: _definition(intent, IntentTypes(enumerations, context.texts), context),
        duplicates=document.duplicates,
    )


def class_name_of(intent: Mapping) -> str:
    """Return the class name of an intent, which begins with the intent's class prefix.

    If the intent has no class name, it is made from the intent's name and "Intent".

    Raises:
        ParseError: the intent has no name.
    """
    name = text_of(intent.get("INIntentClassName"))
    if name is None:
        name = text_of(intent.get("INIntentName"))
        if name is None:
            raise ParseError("unnamed", "an intent without a name")
        name = name if name.endswith("Intent") else name + "Intent"
    prefix = text_of(intent.get("INIntentClassPrefix")) or ""
    # Intents of the system already carry their prefix in the class name.
    is_system = intent.get("INIntentType") == "System"
    return name if is_system and name.startswith(prefix) else prefix + name


def _definition(intent: object, types: IntentTypes, context: DefinitionContext) -> ApiDefinition:
    if not isinstance(intent, dict):
        raise ParseError(
            "bad_entry", f"an intent must be a dictionary, not a {type(intent).__name__}"
        )
    name = class_name_of(intent)
    types.keep_unknown(intent, "INIntent", _KEYS, "")
    parameters = tuple(
        read_parameter(raw, types)
        for raw in list_of(intent.get("INIntentParameters"))
        if types.is_parameter(raw)
    )
    returns, notes = _response(mapping_of(intent.get("INIntentResponse")), types)
    if intent.get("INIntentType") == "System":
        types.flags.add("system_intent")
    if not intent.get("INIntentConfigurable", True):
        types.flags.add("not_configurable")
    return ApiDefinition(
        definition_id="",
        api=f"{context.app}.{name}" if context.app else name,
        app=context.app,
        source_kind="sirikit",
        title=types.localised(intent, "INIntentTitle"),
        description=types.localised(intent, "INIntentDescription"),
        parameters=parameters,
        returns=returns,
        summaries=_summaries(intent, types),
        discoverable=intent.get("INIntentType") != "System",
        category=text_of(intent.get("INIntentCategory")),
        notes=notes,
        source_uri=context.source_uri,
        source_digest="",
        oddities=tuple(sorted(types.flags)),
        unknown=tuple(types.unknown),
    )


def _response(response: Mapping, types: IntentTypes) -> tuple[tuple[Return, ...], tuple[Note, ...]]:
    returns: list[Return] = []
    notes: list[Note] = []
    output = text_of(response.get("INIntentResponseOutput"))
    for raw in list_of(response.get("INIntentResponseParameters")):
        if not isinstance(raw, dict):
            continue
        stem = "INIntentResponseParameter"
        if f"{stem}Name" not in raw:
            stem = "INIntentResponseProperty"  # files of model 1.0
        name = text_of(raw.get(f"{stem}Name"))
        type_name, kind, _ = types.type_of(raw, stem)
        multiple = raw.get(f"{stem}SupportsMultipleValues") is True
        title = types.localised(raw, f"{stem}DisplayName")
        if name is not None and name == output:
            # The editor and the other formats identify an output by its display name.
            description = f"Response value '{name}'." if title and title != name else None
            returns.append(Return(title or name, type_name, kind, multiple, description))
        else:
            note_text = f"{name}: {'list of ' if multiple else ''}{type_name}"
            notes.append(Note("response", note_text))
    if output is not None and not returns:
        types.flags.add("output_out_of_range")
    return tuple(returns), tuple(notes)


def _summaries(intent: Mapping, types: IntentTypes) -> tuple[Summary, ...]:
    # Managed combinations, else unmanaged ones, else the intent's title.
    for key in ("INIntentManagedParameterCombinations", "INIntentParameterCombinations"):
        summaries: list[Summary] = []
        for names, combination in mapping_of(intent.get(key)).items():
            title = types.localised(mapping_of(combination), _TITLE)
            if title is None:
                types.flags.add("combination_without_title")
                continue
            listed = tuple(name.strip() for name in str(names).split(",") if name.strip())
            summaries.append(Summary(title, listed))
        if summaries:
            summaries.sort(key=lambda summary: (-len(summary.parameters), summary.parameters))
            return tuple(summaries)
    title = types.localised(intent, "INIntentTitle")
    return (Summary(title, placeholders(title)),) if title else ()
