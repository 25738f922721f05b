"""Read the `schema.json` of a split into services, and gather facts about their intents."""

import msgspec

from benchloom.core.records import DefinitionSource
from benchloom.normalise.plans.gate import ApiShape
from benchloom.normalise.plans.renaming import ApiNames
from benchloom.storage.inputs.json_nesting import may_nest_deeper
from parsers.dialogues.sgd.services import (
    Completing,
    Intent,
    Service,
    as_declared,
    definition_name,
    definition_of,
)
from parsers.dialogues.sgd.stretches import MAX_DEPTH
from parsers.errors import ParseError


class Api(msgspec.Struct, frozen=True):
    """An intent of a service, with the data that are needed to convert each call of it.

    `definition` is `<service>.<intent>`, unique in a split; `definition_id` is the id of its row in
    `api_definitions`, since splits may declare it differently. `closed_slots` are the service's
    categorical slots, whose values are weak evidence of data flow.
    """

    definition: str
    definition_id: str
    service: str
    intent: Intent
    outputs: frozenset[str]
    closed_slots: frozenset[str]


class Schema(msgspec.Struct, frozen=True):
    """The services of one split in file order.

    `apis` maps pairs of service name and intent name to APIs. `shapes` maps the `definition_id` of
    an API to its parameters and outputs.
    """

    services: tuple[Service, ...]
    apis: dict[tuple[str, str], Api]
    shapes: dict[str, ApiShape]
    names: frozenset[str]


_DECODER = msgspec.json.Decoder(tuple[Service, ...])


def read_schema(data: bytes, kind: str = "sgd", completing: Completing = as_declared) -> Schema:
    """Decode a `schema.json`; `kind` is the `source_kind` of its definitions.

    Raises:
        ParseError: bad_schema, if it is not a list of services or contradicts itself.
    """
    if may_nest_deeper(data, MAX_DEPTH):
        raise ParseError("bad_schema", f"values nest deeper than {MAX_DEPTH}")
    try:
        services = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError("bad_schema", f"not a list of services: {error}") from error
    return build_schema(completing(services), kind)


def build_schema(services: tuple[Service, ...], kind: str = "sgd") -> Schema:
    """Build the schema of some services; raise ParseError for repeated or unknown names."""
    apis: dict[tuple[str, str], Api] = {}
    shapes: dict[str, ApiShape] = {}
    nowhere = DefinitionSource(kind, "", "")
    for service in services:
        closed = frozenset(slot.name for slot in service.slots if slot.is_categorical)
        slots = {slot.name: slot for slot in service.slots}
        for intent in service.intents:
            key = (service.service_name, intent.name)
            if key in apis:
                raise ParseError("bad_schema", f"{'.'.join(key)} is declared twice")
            name = definition_name(*key)
            outputs = frozenset(intent.result_slots)
            parameters = frozenset(intent.parameters)
            if not slots.keys() >= parameters | outputs:
                raise ParseError(
                    "bad_schema", f"{name} uses a slot that its service does not declare"
                )
            api_id = definition_of(service, intent, nowhere).definition_id
            apis[key] = Api(name, api_id, service.service_name, intent, outputs, closed)
            shapes[api_id] = ApiShape(
                required=frozenset(intent.required_slots),
                parameters=parameters,
                outputs=outputs,
                allowed={
                    slot: frozenset(slots[slot].possible_values)
                    for slot in sorted(parameters & closed)
                },
            )
    return Schema(services, apis, shapes, frozenset(s.service_name for s in services))


def variant_names(original: Schema, variant: Schema) -> dict[str, ApiNames]:
    """Return the names that a variant of a schema gives to each API.

    The keys are the `definition_id`s of the APIs in the original schema.
    """
    names: dict[str, ApiNames] = {}
    if len(original.services) != len(variant.services):
        raise _misalignment("the services")
    for service, other in zip(original.services, variant.services, strict=True):
        if len(service.slots) != len(other.slots) or len(service.intents) != len(other.intents):
            raise _misalignment(f"the members of {service.service_name}")
        slots = {a.name: b.name for a, b in zip(service.slots, other.slots, strict=True)}
        for intent, renamed in zip(service.intents, other.intents, strict=True):
            names[original.apis[service.service_name, intent.name].definition_id] = ApiNames(
                app=other.service_name,
                api=renamed.name,
                definition_id=variant.apis[other.service_name, renamed.name].definition_id,
                slots=slots,
            )
    return names


def _misalignment(location: str) -> ParseError:
    return ParseError(
        "misaligned_variant",
        f"number or order of {location} differs between the schema and the variant",
    )
