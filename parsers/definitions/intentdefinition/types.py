"""Read types, enumerations, defaults and conditions of the parameters of intents."""

from benchloom.core.records import Dependency, EnumValue, Parameter, Unknown
from parsers.definitions import TextTables
from parsers.definitions.documents import Mapping
from parsers.definitions.values import (
    MAX_COUNTED,
    json_text,
    list_of,
    mapping_of,
    number_of,
    text_of,
    typed_default,
    unknown_part,
    words,
)

_STEM = "INIntentParameter"
_META = "INIntentParameterMetadata"
# Known keys without their prefix; those that only shape dialogs and the editor are left out.
_PARAMETER_KEYS = words(
    """Configurable CustomDisambiguation DisplayName DisplayNameID DisplayPriority EnumType
    EnumTypeNamespace Metadata Name ObjectType ObjectTypeNamespace PromptDialogs Relationship
    SupportsDynamicEnumeration SupportsMultipleValues SupportsResolution Tag Type
    UnsupportedReasons"""
)
_METADATA_KEYS = words(
    """Capitalization CustomUTIs DateStyle DefaultUnit DefaultValue DefaultValueID
    DisableAutocorrect DisableSmartDashes DisableSmartQuotes FalseDisplayName FalseDisplayNameID
    Format MaximumUnit MaximumValue MinimumUnit MinimumValue Multiline SupportsNegativeNumbers
    TemplateID TimeStyle TrueDisplayName TrueDisplayNameID Type Unit"""
)
_PRIMITIVES = {
    "String": "String",
    "SpeakableString": "String",
    "AttributedString": "AttributedString",
    "Boolean": "Boolean",
    "Integer": "Integer",
    "Long": "Integer",
    "Decimal": "Decimal",
    "Double": "Number",
    "Float": "Number",
    "URL": "URL",
    "Date": "Date",
    "DateComponents": "DateComponents",
    "DateComponentsRange": "DateComponentsRange",
}
_MEASUREMENTS = {"TimeInterval": "Duration"} | {
    name: name
    for name in ("Distance", "Length", "Mass", "Speed", "Temperature", "Volume", "Energy")
}
_RELATIONS = {
    "EnumHasExactValue": "==",
    "BooleanHasExactValue": "==",
    "HasAnyValue": "has_value",
    "HasExactValue": "==",
}


class IntentTypes:
    """Reads the types of one intent, and collects its oddities (`flags`) and its unknown keys."""

    def __init__(self, enumerations: dict[str, tuple[EnumValue, ...]], texts: TextTables) -> None:
        self.enumerations = enumerations
        self.texts = texts
        self.flags: set[str] = set()
        self.unknown: list[Unknown] = []

    def localised(self, mapping: Mapping, key: str) -> str | None:
        """Return the text under a key of the definition file.

        If the file lacks it, the text tables beside the file are searched for the text's id.
        """
        return text_of(mapping.get(key)) or self.texts.find(mapping.get(f"{key}ID"))

    def is_parameter(self, raw: object) -> bool:
        """Whether an entry is a parameter with a name; otherwise add it to `unknown` unchanged."""
        if isinstance(raw, dict) and text_of(raw.get(f"{_STEM}Name")) is not None:
            return True
        self.flags.add("malformed_parameter")
        self.unknown.append(unknown_part("INIntentParameters", raw))
        return False

    def keep_unknown(
        self, mapping: Mapping, prefix: str, known_keys: frozenset[str], path: str
    ) -> None:
        """Store the unknown keys of a mapping, except keys for the sizes of arrays."""
        for key in sorted(mapping):
            if key.removeprefix(prefix) not in known_keys and "ArraySize" not in key:
                self.unknown.append(unknown_part(f"{path}{key}", mapping[key]))

    def type_of(self, raw: Mapping, stem: str) -> tuple[str, str, tuple[EnumValue, ...]]:
        """Return the type, kind and enumeration values of a parameter or response value."""
        name = text_of(raw.get(f"{stem}Type")) or "Any"
        enumeration = text_of(raw.get(f"{stem}EnumType"))
        if enumeration is not None:
            values = self.enumerations.get(enumeration, ())
            if not values:
                self.flags.add("enumeration_declared_elsewhere")
            return enumeration, "enum", values
        if name == "Object":
            return text_of(raw.get(f"{stem}ObjectType")) or "Object", "object", ()
        if name in _PRIMITIVES:
            return _PRIMITIVES[name], "primitive", ()
        if name in _MEASUREMENTS:
            return _MEASUREMENTS[name], "measurement", ()
        return name, "file" if name == "File" else "object", ()


def read_enumerations(root: Mapping, texts: TextTables) -> dict[str, tuple[EnumValue, ...]]:
    """Return a mapping from name to values for the enumerations of a file.

    The default case, which has no index, is included.
    """
    enumerations: dict[str, tuple[EnumValue, ...]] = {}
    for raw in list_of(root.get("INEnums")):
        enumeration = mapping_of(raw)
        name = text_of(enumeration.get("INEnumName"))
        if name is None:
            continue
        enumerations[name] = tuple(
            EnumValue(
                str(value["INEnumValueName"]),
                text_of(value.get("INEnumValueDisplayName"))
                or texts.find(value.get("INEnumValueDisplayNameID")),
            )
            for value in list_of(enumeration.get("INEnumValues"))
            if isinstance(value, dict) and text_of(value.get("INEnumValueName"))
        )
    return enumerations


def read_parameter(entry: object, types: IntentTypes) -> Parameter:
    """Return one parameter of an intent; `types.is_parameter` must have accepted the entry."""
    raw = mapping_of(entry)
    type_name, kind, values = types.type_of(raw, _STEM)
    metadata = mapping_of(raw.get(_META))
    path = f"{raw[f'{_STEM}Name']}/"
    types.keep_unknown(raw, _STEM, _PARAMETER_KEYS, path)
    types.keep_unknown(metadata, _META, _METADATA_KEYS, path)
    sizes = _sizes(raw, types)
    default = metadata.get(f"{_META}DefaultValue")
    if default is None:
        default = types.texts.find(metadata.get(f"{_META}DefaultValueID"))
    return Parameter(
        name=str(raw[f"{_STEM}Name"]),
        type=type_name,
        type_kind=kind,
        title=types.localised(raw, f"{_STEM}DisplayName"),
        description=_truth_titles(metadata, types),
        multiple=raw.get(f"{_STEM}SupportsMultipleValues") is True or bool(sizes),
        default=None if default is None else json_text(typed_default(default, type_name, kind)),
        enum_values=values,
        depends_on=_conditions(raw, types),
        minimum=number_of(metadata.get(f"{_META}MinimumValue")),
        maximum=number_of(metadata.get(f"{_META}MaximumValue")),
        unit=text_of(metadata.get(f"{_META}Unit")) or text_of(metadata.get(f"{_META}DefaultUnit")),
        file_types=_file_types(metadata, kind),
        count_minimum=min(sizes, default=None),
        count_maximum=max(sizes, default=None),
    )


def _truth_titles(metadata: Mapping, types: IntentTypes) -> str | None:
    true = types.localised(metadata, f"{_META}TrueDisplayName") or "true"
    false = types.localised(metadata, f"{_META}FalseDisplayName") or "false"
    return None if (true, false) == ("true", "false") else f"true: {true}; false: {false}"


def _file_types(metadata: Mapping, kind: str) -> tuple[str, ...]:
    # The listed content types, else the family of types that the editor names.
    custom = [
        str(mapping_of(entry)["UTI"])
        for entry in list_of(metadata.get(f"{_META}CustomUTIs"))
        if mapping_of(entry).get("UTI")
    ]
    family = text_of(metadata.get(f"{_META}Type"))
    if kind == "file" and not custom and family not in (None, "Custom"):
        return (str(family),)
    return tuple(custom)


def _sizes(raw: Mapping, types: IntentTypes) -> list[int]:
    # Every plausible number under an array size key; the raw value is also kept as unknown.
    sizes: list[int] = []
    for key, value in raw.items():
        if "ArraySize" not in key:
            continue
        types.unknown.append(Unknown(f"{raw.get(f'{_STEM}Name')}/{key}", json_text(value)[:200]))
        pending = [value]
        while pending:
            current = pending.pop()
            if isinstance(current, dict):
                pending.extend(current.values())
            elif isinstance(current, list):
                pending.extend(current)
            elif type(current) is int and 0 <= current <= MAX_COUNTED:
                sizes.append(current)
    return sizes


def _conditions(raw: Mapping, types: IntentTypes) -> tuple[Dependency, ...]:
    relationship = raw.get(f"{_STEM}Relationship")
    if not isinstance(relationship, dict):
        return ()
    stem = f"{_STEM}Relationship"
    parent = text_of(relationship.get(f"{stem}ParentName"))
    predicate = text_of(relationship.get(f"{stem}PredicateName"))
    if parent is None or predicate is None:
        types.flags.add("relationship_without_parent")
        path = f"{raw.get(f'{_STEM}Name')}/relationship"
        types.unknown.append(unknown_part(path, relationship))
        return ()
    value = relationship.get(f"{stem}PredicateValue")
    if predicate == "BooleanHasExactValue":
        # No value means false: the editor leaves a false value out.
        values: tuple[str, ...] = (json_text(value in (True, 1, "1", "true", "YES")),)
    else:
        values = () if value is None else (json_text(value),)
    return (Dependency(parent, _RELATIONS.get(predicate, predicate), values),)
