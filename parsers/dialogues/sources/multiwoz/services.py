"""Prepare the services of a schema for rebuilding calls, by inferring what each call returns.

The schema declares no results, so they are inferred from slots. A search returns the slots of its
service, but not the slots that only a booking uses, and not the reference of a booking. A booking
returns its reference; where a service has no search (a taxi), it returns the slots that no intent
takes.
"""

from collections.abc import Mapping

import msgspec

from parsers.dialogues.sgd.schema import Api, Schema
from parsers.dialogues.sgd.services import Intent
from parsers.dialogues.sgd.services import Service as DeclaredService
from parsers.errors import ParseError

ODDITY = "inferred_returns"
_REFERENCES = frozenset({"ref", "reference"})


def with_results(services: tuple[DeclaredService, ...]) -> tuple[DeclaredService, ...]:
    """Return the services with inferred results for every intent that declares none."""
    return tuple(
        msgspec.structs.replace(
            service, intents=tuple(_with_results(service, intent) for intent in service.intents)
        )
        for service in services
    )


def is_reference(slot: str) -> bool:
    """Whether a slot is the reference of a booking."""
    return slot.rpartition("-")[2] in _REFERENCES


def _with_results(service: DeclaredService, intent: Intent) -> Intent:
    if intent.result_slots:
        return intent
    searches = [other for other in service.intents if not other.is_transactional]
    parameters = {slot for other in service.intents for slot in other.parameters}
    search_slots = {slot for search in searches for slot in search.parameters}
    names = [slot.name for slot in service.slots if not is_reference(slot.name)]
    if not intent.is_transactional:
        # Slots like `hotel-bookday` are used for bookings only.
        searched = [slot for slot in names if not slot.rpartition("-")[2].startswith("book")]
        results = [slot for slot in searched if slot in search_slots or slot not in parameters]
    elif searches:
        results = [slot.name for slot in service.slots if is_reference(slot.name)]
    else:
        results = [slot.name for slot in service.slots if slot.name not in parameters]
    return msgspec.structs.replace(intent, result_slots=tuple(results), oddities=(ODDITY,))


NO_INTENT = frozenset({"", "NONE"})


class Service(msgspec.Struct, frozen=True):
    """One service; `receipts` are the results that only a booking returns, such as a reference."""

    name: str
    intents: dict[str, Api]
    search: Api | None
    booking: Api | None
    receipts: frozenset[str]
    slots: frozenset[str]

    def called(self, intent: str, turn: int) -> Api | None:
        """Return the API of `intent`, or None for "NONE". Raise ParseError if it is undeclared."""
        if intent in NO_INTENT:
            return None
        if intent not in self.intents:
            raise ParseError("unknown_intent", f"turn {turn}: {self.name} has no intent {intent}")
        return self.intents[intent]


def services_of(schema: Schema) -> Mapping[str, Service]:
    """Return a mapping from the name of each service, in lower case as in acts, to the service."""
    services_by_name = {}
    for service in schema.services:
        name = service.service_name
        intents = {intent.name: schema.apis[name, intent.name] for intent in service.intents}
        searches = [api for api in intents.values() if not api.intent.is_transactional]
        bookings = [api for api in intents.values() if api.intent.is_transactional]
        parameters = {slot for intent in service.intents for slot in intent.parameters}
        returned = {slot for api in searches for slot in api.outputs}
        booked = {slot for api in bookings for slot in api.outputs}
        services_by_name[name.lower()] = Service(
            name,
            intents,
            searches[0] if len(searches) == 1 else None,
            bookings[0] if len(bookings) == 1 else None,
            frozenset(s for s in booked if is_reference(s) or s not in parameters | returned),
            frozenset(slot.name for slot in service.slots),
        )
    return services_by_name
