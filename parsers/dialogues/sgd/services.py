"""SGD's services as `schema.json` declares them."""

from collections.abc import Callable

import msgspec


class Slot(msgspec.Struct, frozen=True):
    """A slot; `possible_values` is a closed list only if `is_categorical`."""

    name: str
    description: str = ""
    is_categorical: bool = False
    possible_values: tuple[str, ...] = ()


class Intent(msgspec.Struct, frozen=True):
    """An intent: one API. `optional_slots` maps each slot to its default."""

    name: str
    description: str = ""
    is_transactional: bool = False
    required_slots: tuple[str, ...] = ()
    optional_slots: dict[str, str] = {}
    result_slots: tuple[str, ...] = ()

    @property
    def oddities(self) -> tuple[str, ...]:
        """Return the tolerated faults of the declaration, worded for the definition."""
        return ()


class Service(msgspec.Struct, frozen=True):
    """A service: one app with its slots and intents."""

    service_name: str
    description: str = ""
    slots: tuple[Slot, ...] = ()
    intents: tuple[Intent, ...] = ()


Completing = Callable[[tuple[Service, ...]], tuple[Service, ...]]
"""Completes the services of a schema with data that the file lacks."""


def as_declared(services: tuple[Service, ...]) -> tuple[Service, ...]:
    """Return the services unchanged, for sources whose schema file is complete."""
    return services


def definition_name(service: str, intent: str) -> str:
    """Return the `api` of the definition made from a service's intent."""
    return f"{service}.{intent}"
