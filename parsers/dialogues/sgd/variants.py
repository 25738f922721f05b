"""SGD-X: a schema under other names, aligned with the original by position."""

from benchloom.normalise.plans.renaming import ApiNames
from parsers.dialogues.sgd.schema import Schema
from parsers.errors import ParseError


def variant_names(original: Schema, variant: Schema) -> dict[str, ApiNames]:
    """Return the variant's names for every API of a split, by the original's `definition_id`."""
    names: dict[str, ApiNames] = {}
    if len(original.services) != len(variant.services):
        raise _misaligned("the schemas")
    for service, other in zip(original.services, variant.services, strict=True):
        if len(service.slots) != len(other.slots) or len(service.intents) != len(other.intents):
            raise _misaligned(service.service_name)
        slots = {a.name: b.name for a, b in zip(service.slots, other.slots, strict=True)}
        for intent, renamed in zip(service.intents, other.intents, strict=True):
            names[original.apis[service.service_name, intent.name].definition_id] = ApiNames(
                app=other.service_name,
                api=renamed.name,
                definition_id=variant.apis[other.service_name, renamed.name].definition_id,
                slots=slots,
            )
    return names


def _misaligned(location: str) -> ParseError:
    return ParseError("misaligned_variant", f"{location} and the variant do not align by position")
