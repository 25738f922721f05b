"""Parse App Intents metadata, the JSON in `Metadata.appintents/extract.actionsdata`.

Newer build tools often add keys; an unknown key is kept and is never an error.
"""

from benchloom.core.records import ApiDefinition, Availability, Note, Parameter, Return, Unknown
from parsers.definitions import (
    DefinitionContext,
    ParsedDefinitions,
    TextTables,
)
from parsers.definitions.actionsdata.metadata import ParameterMetadata, read_metadata
from parsers.definitions.actionsdata.summaries import read_branches
from parsers.definitions.actionsdata.types import ValueType, read_enumerations, read_type
from parsers.definitions.documents import Mapping, read_document
from parsers.definitions.values import (
    json_text,
    list_of,
    mapping_of,
    parse_entries,
    text_of,
    unknown_keys,
    unknown_part,
    words,
)
from parsers.errors import ParseError

_ACTION_KEYS = words(
    """actionConfiguration assistantDefinedSchemaTraits assistantDefinedSchemas
    authenticationPolicy availabilityAnnotations deprecationMetadata descriptionMetadata
    effectiveBundleIdentifiers fullyQualifiedTypeName identifier isAuthPolExplicit isDiscoverable
    explicitAuthenticationPolicy mangledTypeName mangledTypeNameByBundleIdentifier
    mangledTypeNameByBundleIdentifierV2 mangledTypeNameV2 openAppWhenRun outputFlags outputType
    parameters presentationStyle requiredCapabilities resultValueName supportedModes
    systemProtocolMetadata systemProtocolMetadataV2 systemProtocols title typeSpecificMetadata
    visibilityMetadata customIntentClassName"""
)
_PLATFORMS = {
    "Wildcard": "any",
    "IOS": "iOS",
    "MacOS": "macOS",
    "WatchOS": "watchOS",
    "TvOS": "tvOS",
    "VisionOS": "visionOS",
}
_PARAMETER_KEYS = words(
    """capabilities dynamicOptionsSupport inputConnectionBehavior isInput isOptional name
    parameterDescription resolvableInputTypes title typeSpecificMetadata valueType"""
)


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the actions of a file; raise ParseError if it contains no mapping of actions."""
    document = read_document(data)
    root = document.root
    if not isinstance(root, dict) or not isinstance(root.get("actions"), dict):
        raise ParseError("not_a_definition", "the JSON has no mapping 'actions'")
    entries = sorted(mapping_of(root["actions"]).items())
    parse_action = _Reader(root, context).definition
    return parse_entries(
        data, context, "appintents", entries, parse_action, duplicates=document.duplicates
    )


def localised(value: object, texts: TextTables) -> str | None:
    """Return the localised text of a `{key, alternatives}` value, or the key if there is none."""
    key = mapping_of(value).get("key") if isinstance(value, dict) else value
    return texts.find(key) or text_of(key)


class _Reader:
    def __init__(self, root: Mapping, context: DefinitionContext) -> None:
        self.context = context
        self.enumerations = read_enumerations(root, context.texts, localised)
        self.phrases: dict[str, list[str]] = {}
        for shortcut in list_of(root.get("autoShortcuts")):
            name = text_of(mapping_of(shortcut).get("actionIdentifier")) or ""
            for phrase in list_of(mapping_of(shortcut).get("phraseTemplates")):
                text = localised(phrase, context.texts)
                if text:
                    self.phrases.setdefault(name, []).append(text)

    def definition(self, key: str, action: object) -> ApiDefinition:
        if not isinstance(action, dict):
            raise ParseError(
                "bad_entry", f"an action must be an object, not a {type(action).__name__}"
            )
        context, texts = self.context, self.context.texts
        flags: set[str] = set()
        unknown = unknown_keys(action, _ACTION_KEYS, "")
        name = text_of(action.get("identifier")) or key
        parameters = tuple(
            self._parameter(raw, flags, unknown)
            for raw in list_of(action.get("parameters"))
            if _is_parameter(raw, flags, unknown)
        )
        deprecation = mapping_of(action.get("deprecationMetadata"))
        description = mapping_of(action.get("descriptionMetadata"))
        visibility = mapping_of(action.get("visibilityMetadata"))
        app = context.app or _only_bundle(action)
        summaries = read_branches(action.get("actionConfiguration"), texts, unknown)
        return ApiDefinition(
            definition_id="",
            api=f"{app}.{name}" if app else name,
            app=app,
            source_kind="appintents",
            title=localised(action.get("title"), texts),
            description=localised(description.get("descriptionText"), texts),
            parameters=parameters,
            returns=self._returns(action, flags, unknown),
            summaries=summaries,
            availability=_availability(action),
            deprecated=bool(deprecation),
            replaced_by=_replacement(deprecation, app),
            discoverable=action.get("isDiscoverable") is not False
            and visibility.get("isDiscoverable") is not False
            and visibility.get("assistantOnly") is not True,
            category=localised(description.get("categoryName"), texts),
            keywords=tuple(
                word
                for entry in list_of(description.get("searchKeywords"))
                if (word := localised(entry, texts))
            ),
            notes=self._notes(name, deprecation),
            source_uri=context.source_uri,
            source_digest="",
            oddities=tuple(sorted(flags)),
            unknown=tuple(unknown),
        )

    def _parameter(self, raw: object, flags: set[str], unknown: list[Unknown]) -> Parameter:
        raw = mapping_of(raw)
        name = str(raw["name"])
        unknown.extend(unknown_keys(raw, _PARAMETER_KEYS, f"parameters/{name}/"))
        value = self._type(raw.get("valueType"), f"parameters/{name}", flags, unknown)
        metadata: ParameterMetadata = read_metadata(
            raw.get("typeSpecificMetadata"), value, f"parameters/{name}/", unknown
        )
        optional = raw.get("isOptional")
        return Parameter(
            name=name,
            type=value.type,
            type_kind=value.kind,
            title=localised(raw.get("title"), self.context.texts),
            description=localised(raw.get("parameterDescription"), self.context.texts),
            multiple=value.multiple,
            optional=optional if isinstance(optional, bool) else None,
            default=metadata.default,
            enum_values=self.enumerations.get(value.type, ()) if value.kind == "enum" else (),
            minimum=metadata.minimum,
            maximum=metadata.maximum,
            unit=metadata.unit,
            file_types=metadata.file_types,
            count_minimum=metadata.count_minimum,
            count_maximum=metadata.count_maximum,
        )

    def _type(self, union: object, path: str, flags: set[str], unknown: list[Unknown]) -> ValueType:
        value = read_type(union)
        if value.unknown:
            flags.add("unknown_type")
            unknown.append(Unknown(f"{path}/valueType", json_text(union)[:200]))
        if value.kind == "enum" and value.type not in self.enumerations:
            flags.add("enumeration_declared_elsewhere")
        return value

    def _returns(
        self, action: Mapping, flags: set[str], unknown: list[Unknown]
    ) -> tuple[Return, ...]:
        if not action.get("outputType"):
            return ()
        value = self._type(action["outputType"], "outputType", flags, unknown)
        name = localised(action.get("resultValueName"), self.context.texts)
        described = mapping_of(action.get("descriptionMetadata")).get("resultValueName")
        name = name or localised(described, self.context.texts)
        return (Return(name, value.type, value.kind, value.multiple),)

    def _notes(self, name: str, deprecation: Mapping) -> tuple[Note, ...]:
        notes = [Note("phrase", phrase) for phrase in self.phrases.get(name, ())]
        for key in ("message", "localizedMessage", "deprecationMessage"):
            text = localised(deprecation.get(key), self.context.texts)
            if text:
                notes.append(Note("deprecation", text))
        return tuple(notes)


def _is_parameter(raw: object, flags: set[str], unknown: list[Unknown]) -> bool:
    """Whether an entry is a parameter with a name; otherwise add it to `unknown` unchanged."""
    if isinstance(raw, dict) and text_of(raw.get("name")) is not None:
        return True
    flags.add("malformed_parameter")
    unknown.append(unknown_part("parameters", raw))
    return False


def _only_bundle(action: Mapping) -> str | None:
    bundles = [
        bundle
        for entry in list_of(action.get("effectiveBundleIdentifiers"))
        if (bundle := text_of(entry) or text_of(mapping_of(entry).get("bundleIdentifier")))
    ]
    return bundles[0] if len(bundles) == 1 else None


def _availability(action: Mapping) -> tuple[Availability, ...]:
    availabilities: list[Availability] = []
    for platform, raw in sorted(mapping_of(action.get("availabilityAnnotations")).items()):
        versions = mapping_of(raw)
        name = platform.removeprefix("LNPlatformName")
        availabilities.append(
            Availability(
                "platform",
                _PLATFORMS.get(name, name),
                text_of(versions.get("introducedVersion")),
                text_of(versions.get("deprecatedVersion")),
                text_of(versions.get("obsoletedVersion")),
            )
        )
    availabilities.extend(
        Availability("capability", text_of(capability) or json_text(capability))
        for capability in list_of(action.get("requiredCapabilities"))
    )
    return tuple(availabilities)


def _replacement(deprecation: Mapping, app: str | None) -> str | None:
    for key in ("replacedByIntentIdentifier", "replacedBy", "replacementIdentifier"):
        name = text_of(deprecation.get(key))
        if name:
            return f"{app}.{name}" if app and "." not in name else name
    return None
