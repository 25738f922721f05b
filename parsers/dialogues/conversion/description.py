"""SGD's services as export formats describe them."""

from collections.abc import Mapping

from benchloom.formats.api_description import ApiDescription, ParameterDescription
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.sgd.services import Slot
from parsers.dialogues.tracing.name_mode import PublishedApi


def describe_apis(
    schema: Schema, published: Mapping[str, PublishedApi]
) -> dict[str, ApiDescription]:
    """Every API of a split by `definition_id`, under its published name where it has one."""
    found: dict[str, ApiDescription] = {}
    for service in schema.services:
        slots = {slot.name: slot for slot in service.slots}
        for intent in service.intents:
            api = schema.apis[service.service_name, intent.name]
            face = published.get(
                api.definition,
                PublishedApi(service.service_name, intent.name, intent.result_slots),
            )
            required = [_parameter(slots[name], required=True) for name in intent.required_slots]
            optional = [
                _parameter(slots[name], required=False, default=default)
                for name, default in intent.optional_slots.items()
            ]
            found[api.definition_id] = ApiDescription(
                app=face.app,
                api=face.api,
                description=intent.description,
                parameters=(*required, *optional),
                outputs=tuple(
                    _parameter(slots.get(name, Slot(name)), required=False) for name in face.returns
                ),
            )
    return found


def _parameter(slot: Slot, *, required: bool, default: str | None = None) -> ParameterDescription:
    values = slot.possible_values if slot.is_categorical else ()
    return ParameterDescription(slot.name, slot.description, required, default, values)
