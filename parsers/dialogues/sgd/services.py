"""Read SGD's services as `schema.json` declares them, and convert them to API definitions."""

from collections.abc import Callable

import msgspec

from benchloom.core.records import (
    ApiDefinition,
    DefinitionSource,
    EnumValue,
    Note,
    Parameter,
    Return,
    sealed,
)


class Slot(msgspec.Struct, frozen=True):
    """A slot; `possible_values` is a closed list only if `is_categorical`."""

    name: str
    description: str = ""
    is_categorical: bool = False
    possible_values: tuple[str, ...] = ()


class Intent(msgspec.Struct, frozen=True):
    """An intent of a service; each intent is one API.

    `optional_slots` maps each slot to its default. `oddities` are the tolerated faults in the
    declaration, as the definition states them.
    """

    name: str
    description: str = ""
    is_transactional: bool = False
    required_slots: tuple[str, ...] = ()
    optional_slots: dict[str, str] = {}
    result_slots: tuple[str, ...] = ()
    oddities: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The slots that the API takes as parameters, required ones first."""
        return (*self.required_slots, *self.optional_slots)


class Service(msgspec.Struct, frozen=True):
    """A service with its slots and intents; each service is one app."""

    service_name: str
    description: str = ""
    slots: tuple[Slot, ...] = ()
    intents: tuple[Intent, ...] = ()


Completing = Callable[[tuple[Service, ...]], tuple[Service, ...]]
"""A function that completes the services of a schema with data that the file lacks."""


def as_declared(services: tuple[Service, ...]) -> tuple[Service, ...]:
    """Return the services unchanged, for sources whose schema file is complete."""
    return services


def definition_name(service: str, intent: str) -> str:
    """Return the name (`api`) of the definition that is made from an intent of a service."""
    return f"{service}.{intent}"


_ENCODER = msgspec.json.Encoder()


def definition_of(service: Service, intent: Intent, source: DefinitionSource) -> ApiDefinition:
    """Return the definition of one intent; its id does not depend on the source's location.

    `api` is `<service>.<intent>`. An optional slot's default is kept as SGD's text, including
    `dontcare`, which means that no value is required.
    """
    slots = {slot.name: slot for slot in service.slots}
    required = [_parameter(slots[name], None) for name in intent.required_slots]
    optional = [_parameter(slots[name], default) for name, default in intent.optional_slots.items()]
    notes = (Note("note", "transactional: it takes effect"),) if intent.is_transactional else ()
    return sealed(
        ApiDefinition(
            definition_id="",
            api=definition_name(service.service_name, intent.name),
            app=service.service_name,
            source_kind=source.source_kind,
            title=intent.name,
            description=intent.description or None,
            parameters=(*required, *optional),
            returns=tuple(
                Return(name, *_type_of(slots[name]), description=slots[name].description or None)
                for name in intent.result_slots
            ),
            category=service.description or None,
            notes=notes,
            source_uri=source.source_uri,
            source_digest=source.source_digest,
            sources=(source,),
            oddities=intent.oddities,
        )
    )


def _parameter(slot: Slot, default: str | None) -> Parameter:
    name, kind = _type_of(slot)
    return Parameter(
        slot.name,
        name,
        kind,
        description=slot.description or None,
        optional=default is not None,
        default=None if default is None else _ENCODER.encode(default).decode(),
        enum_values=tuple(EnumValue(value) for value in _values(slot)),
    )


def _type_of(slot: Slot) -> tuple[str, str]:
    return ("string", "enum") if _values(slot) else ("string", "primitive")


def _values(slot: Slot) -> tuple[str, ...]:
    return slot.possible_values if slot.is_categorical else ()
