"""Read the parameters of WFActions entries with their types, values, defaults and conditions.

The class of a parameter determines its type.
"""

from benchloom.core.records import Dependency, EnumValue, Parameter, Unknown
from parsers.definitions.documents import Mapping
from parsers.definitions.values import (
    json_text,
    list_of,
    mapping_of,
    number_of,
    text_of,
    texts_of,
    typed_default,
    unknown_keys,
)
from parsers.definitions.wfactions.vocabulary import (
    CLASS_TYPES,
    ENUMERATION_CLASSES,
    PARAMETER_KEYS,
    RELATIONS,
)
from parsers.errors import ParseError


def read_parameters(
    entry: Mapping, flags: set[str], unknown: list[Unknown]
) -> tuple[Parameter, ...]:
    """Return the declared parameters of one entry, in the order of the entry."""
    declared = mapping_of(entry.get("Input"))
    parameters: list[Parameter] = []
    for index, raw in enumerate(list_of(entry.get("Parameters"))):
        if not isinstance(raw, dict) or text_of(raw.get("Key")) is None:
            flags.add("malformed_parameter")
            unknown.append(Unknown(f"Parameters/{index}", json_text(raw)[:200]))
            continue
        unknown.extend(unknown_keys(raw, PARAMETER_KEYS, f"Parameters/{raw['Key']}/"))
        parameters.append(_parameter(raw, declared))
    return tuple(parameters)


def _parameter(raw: Mapping, declared: Mapping) -> Parameter:
    name = str(raw["Key"])
    class_name = text_of(raw.get("Class")) or "WFParameter"
    type_name, kind = CLASS_TYPES.get(class_name, (class_name, "object"))
    choices = texts_of(raw.get("Items"))
    if class_name in ENUMERATION_CLASSES:
        type_name, kind = "String", "enum"
    multiple = raw.get("AllowsMultipleValues") is True
    optional = None
    if declared.get("ParameterKey") == name:
        type_name = " | ".join(texts_of(declared.get("Types"))) or type_name
        multiple = multiple or declared.get("Multiple") is True
        if isinstance(declared.get("Required"), bool):
            optional = not declared["Required"]
    default = raw.get("DefaultValue")
    return Parameter(
        name=name,
        type=type_name,
        type_kind=kind,
        title=_title(raw),
        description=_description(raw),
        multiple=multiple,
        optional=optional,
        default=None if default is None else json_text(typed_default(default, type_name, kind)),
        enum_values=tuple(EnumValue(choice) for choice in choices),
        depends_on=_read_conditions(raw.get("RequiredResources")),
        minimum=number_of(raw.get("MinimumValue")),
        maximum=number_of(raw.get("MaximumValue")),
        unit=text_of(raw.get("DefaultUnit")) or text_of(raw.get("WFUnitType")),
        hidden=raw.get("Hidden") is True,
    )


def _title(raw: Mapping) -> str | None:
    for key in ("Label", "StepperDescription", "NoneLabel"):
        if text_of(raw.get(key)):
            return text_of(raw[key])
    return None


def _description(raw: Mapping) -> str | None:
    parts = [text_of(raw.get("Description"))]
    example = raw.get("Placeholder")
    if example not in (None, "", raw.get("Description")):
        parts.append(f"Placeholder: {example}")
    return "\n".join(part for part in parts if part) or None


def read_overrides(entry: Mapping) -> tuple[Parameter, ...]:
    """Return parameters from the overrides of an action whose intent is in another file."""
    parameters: list[Parameter] = []
    for slot, override in mapping_of(entry.get("ParameterOverrides")).items():
        values = mapping_of(mapping_of(override).get("IntentEnumOverrides"))
        parameters.append(
            Parameter(
                name=text_of(mapping_of(override).get("Key")) or slot,
                type="String" if values else "Any",
                type_kind="enum" if values else "object",
                title=text_of(mapping_of(override).get("Label")),
                description=text_of(mapping_of(override).get("Description")),
                enum_values=tuple(EnumValue(str(values[case]), case) for case in sorted(values)),
                hidden=mapping_of(override).get("Hidden") is True,
            )
        )
    return tuple(sorted(parameters, key=lambda parameter: parameter.name))


def _read_conditions(resources: object) -> tuple[Dependency, ...]:
    dependencies: list[Dependency] = []
    for resource in list_of(resources):
        if isinstance(resource, str):
            dependencies.append(Dependency("@resource", "==", (json_text(resource),)))
        elif isinstance(resource, dict):
            dependencies.extend(_condition(resource))
    return tuple(dependencies)


def _condition(resource: Mapping) -> list[Dependency]:
    name = resource.get("WFResourceClass")
    if name == "WFParameterRelationResource":
        return [_parameter_condition(resource)]
    if name == "WFDeviceAttributesResource":
        return _device_conditions(mapping_of(resource.get("WFDeviceAttributes")))
    relation = _relation(resource.get("WFRelation"))
    if name == "WFWorkflowTypeResource":
        value = json_text(resource.get("WFWorkflowType"))
        return [Dependency("@workflow_type", relation, (value,))]
    if name == "WFWorkflowEnvironmentResource":
        value = json_text(resource.get("WFWorkflowEnvironment"))
        return [Dependency("@environment", relation, (value,))]
    return [Dependency("@resource", "==", (json_text(resource),))]


def _relation(word: object) -> str:
    return RELATIONS.get(word, word) if isinstance(word, str) else "=="


def _parameter_condition(resource: Mapping) -> Dependency:
    key = text_of(resource.get("WFParameterKey"))
    if key is None:
        raise ParseError("bad_relation", "a condition has no parameter")
    values = resource.get("WFParameterValues")
    if not isinstance(values, list):
        values = [resource["WFParameterValue"]] if "WFParameterValue" in resource else []
    relation = _relation(resource.get("WFParameterRelation"))
    return Dependency(key, relation, tuple(json_text(value) for value in values))


def _device_conditions(attributes: Mapping) -> list[Dependency]:
    dependencies: list[Dependency] = []
    for key, value in sorted(attributes.items()):
        name = "@device." + key.removeprefix("WFDeviceAttribute").lower()
        if isinstance(value, dict) and "WFSystemVersion" in value:
            relation = _relation(value.get("WFSystemVersionRelation"))
            version = json_text(value["WFSystemVersion"])
            dependencies.append(Dependency("@device.system_version", relation, (version,)))
        elif isinstance(value, list):
            dependencies.append(Dependency(name, "==", tuple(json_text(entry) for entry in value)))
        else:
            dependencies.append(Dependency(name, "==", (json_text(value),)))
    return dependencies
