"""Parse WFActions, the system's own actions up to 2022, from JSON or a property list.

The root maps identifiers to entries (in one real file, the root is a list that contains only
this mapping). Every entry is read independently of the other entries.
"""

from benchloom.core.built_in_actions import SYSTEM_APP, SYSTEM_PREFIX
from benchloom.core.records import ApiDefinition, Availability, Note, Return
from parsers.definitions import DefinitionContext, ParsedDefinitions
from parsers.definitions.documents import Mapping, read_document
from parsers.definitions.values import (
    json_text,
    list_of,
    mapping_of,
    parse_entries,
    text_of,
    texts_of,
    unknown_keys,
)
from parsers.definitions.wfactions.parameters import read_overrides, read_parameters
from parsers.definitions.wfactions.summaries import read_summaries
from parsers.definitions.wfactions.vocabulary import ACTION_KEYS, OUTPUT_PRIMITIVES
from parsers.errors import ParseError

_NOTES = {
    "DescriptionResult": "result",
    "DescriptionInput": "input",
    "DescriptionNote": "note",
    "DescriptionRequires": "requires",
}
_SIGNS = ("ActionClass", "Parameters", "IconName", "Description")


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the actions of a file; raise ParseError if it contains no entry of an action."""
    document = read_document(data)
    entries = sorted(_entries(document.root).items())
    return parse_entries(
        data,
        context,
        "wfactions",
        entries,
        lambda identifier, entry: _definition(identifier, entry, context),
        duplicates=document.duplicates,
    )


def _entries(root: object) -> Mapping:
    if isinstance(root, list) and len(root) == 1:
        root = root[0]
    if not isinstance(root, dict) or not root:
        kind = "empty" if isinstance(root, dict) else f"a {type(root).__name__}"
        raise ParseError("not_a_definition", f"the root must be a dictionary, but is {kind}")
    entries = [entry for entry in root.values() if isinstance(entry, dict)]
    if not any("ActionClass" in entry for entry in entries):
        raise ParseError("not_a_definition", "no entry has the key ActionClass")
    return {str(key): value for key, value in root.items()}


def _definition(identifier: str, entry: object, context: DefinitionContext) -> ApiDefinition:
    if not isinstance(entry, dict) or not any(sign in entry for sign in _SIGNS):
        raise ParseError("bad_entry", "the entry is not a dictionary with the keys of an action")
    flags: set[str] = set()
    unknown = unknown_keys(entry, ACTION_KEYS, "")
    parameters = read_parameters(entry, flags, unknown)
    if not parameters and "ParameterOverrides" in entry:
        parameters = read_overrides(entry)
        flags.add("parameters_from_overrides")
    if ("IntentIdentifier" in entry or "IntentName" in entry) and "Parameters" not in entry:
        flags.add("declared_by_intent")
    unavailable = _unavailable_reason(entry)
    return ApiDefinition(
        definition_id="",
        api=identifier,
        app=_app_of(identifier, entry),
        source_kind="wfactions",
        title=text_of(entry.get("Name")),
        description=text_of(mapping_of(entry.get("Description")).get("DescriptionSummary")),
        parameters=parameters,
        returns=_returns(entry),
        summaries=read_summaries(entry.get("ParameterSummary"), parameters),
        availability=_availability(entry),
        deprecated=entry.get("Discontinued") is True or unavailable is not None,
        discoverable=entry.get("Discoverable") not in (False, "NO"),
        category=text_of(entry.get("Category")),
        keywords=texts_of(entry.get("ActionKeywords")),
        notes=_notes(entry, unavailable),
        source_uri=context.source_uri,
        source_digest="",
        oddities=tuple(sorted(flags)),
        unknown=tuple(unknown),
    )


def _app_of(identifier: str, entry: Mapping) -> str:
    # System actions share one prefix; other identifiers start with their app's identifier.
    if identifier.startswith(SYSTEM_PREFIX):
        return SYSTEM_APP
    return text_of(entry.get("AppIdentifier")) or identifier.rpartition(".")[0] or identifier


def _returns(entry: Mapping) -> tuple[Return, ...]:
    output = entry.get("Output")
    if not isinstance(output, dict):
        return ()
    types = texts_of(output.get("Types"))
    primitive = bool(types) and all(name in OUTPUT_PRIMITIVES for name in types)
    name = text_of(output.get("OutputName")) or text_of(entry.get("OutputName"))
    description = text_of(mapping_of(entry.get("Description")).get("DescriptionResult"))
    type_name = " | ".join(OUTPUT_PRIMITIVES.get(name, name) for name in types) or "Any"
    kind = "primitive" if primitive else "object"
    return (Return(name, type_name, kind, output.get("Multiple") is True, description),)


def _notes(entry: Mapping, unavailable: str | None) -> tuple[Note, ...]:
    description = mapping_of(entry.get("Description"))
    notes = [
        Note(kind, text)
        for key, kind in _NOTES.items()
        if (text := text_of(description.get(key))) is not None
    ]
    credit = description.get("DescriptionAttribution")
    if credit:
        link = mapping_of(mapping_of(credit).get("Link"))
        text = text_of(mapping_of(credit).get("Description")) or text_of(credit)
        if text:
            notes.append(Note("attribution", text.replace("${Link}", str(link.get("Text", "")))))
    accepted = mapping_of(entry.get("Input"))
    if accepted:
        notes.append(Note("input_types", json_text(accepted)))
    if unavailable:
        notes.append(Note("deprecation", unavailable))
    return tuple(notes)


def _availability(entry: Mapping) -> tuple[Availability, ...]:
    availabilities: list[Availability] = []
    for resource in list_of(entry.get("RequiredResources")):
        if isinstance(resource, str):
            availabilities.append(Availability("resource", resource))
        elif isinstance(resource, dict):
            availabilities.append(_resource(resource))
    availabilities.extend(
        Availability("unsupported_environment", name)
        for name in texts_of(entry.get("UnsupportedEnvironments"))
    )
    app = text_of(entry.get("AppIdentifier"))
    if app:
        availabilities.append(Availability("app", app))
    return tuple(availabilities)


def _resource(resource: Mapping) -> Availability:
    name = text_of(resource.get("WFResourceClass")) or "unnamed"
    if name == "WFDeviceAttributesResource":
        attributes = mapping_of(resource.get("WFDeviceAttributes"))
        version = mapping_of(attributes.get("WFDeviceAttributeSystemVersion"))
        introduced = text_of(version.get("WFSystemVersion"))
        limits = {k: v for k, v in attributes.items() if k != "WFDeviceAttributeSystemVersion"}
        return Availability("device", json_text(limits) if limits else "system", introduced)
    limits = {key: value for key, value in resource.items() if key != "WFResourceClass"}
    return Availability("resource", f"{name} {json_text(limits)}" if limits else name)


def _unavailable_reason(entry: Mapping) -> str | None:
    for resource in list_of(entry.get("RequiredResources")):
        if isinstance(resource, dict) and resource.get("WFUnavailableResourceReason"):
            return str(resource["WFUnavailableResourceReason"])
        if resource == "WFUnavailableResource":
            return "unavailable"
    return None
