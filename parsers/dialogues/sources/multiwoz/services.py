"""The services of a schema, prepared for rebuilding calls: one search, one booking, results."""

from collections.abc import Mapping

import msgspec

from parsers.dialogues.sgd.schema import Api, Schema
from parsers.dialogues.sources.multiwoz.results import is_reference, parameters_of
from parsers.errors import ParseError

NO_INTENT = frozenset({"", "NONE"})


class Service(msgspec.Struct, frozen=True):
    """One service; `receipts` are the results that only a booking returns."""

    name: str
    intents: dict[str, Api]
    search: Api | None
    booking: Api | None
    receipts: frozenset[str]
    slots: frozenset[str]

    def called(self, intent: str, turn: int) -> Api | None:
        """Return the API of an active intent, None if no intent is active."""
        if intent in NO_INTENT:
            return None
        if intent not in self.intents:
            raise ParseError("unknown_intent", f"turn {turn}: {self.name} has no intent {intent}")
        return self.intents[intent]


def services_of(schema: Schema) -> Mapping[str, Service]:
    """Return every service by its name in lower case, as acts write it."""
    services_by_name = {}
    for service in schema.services:
        name = service.service_name
        intents = {intent.name: schema.apis[name, intent.name] for intent in service.intents}
        searches = [api for api in intents.values() if not api.intent.is_transactional]
        bookings = [api for api in intents.values() if api.intent.is_transactional]
        taken = {slot for intent in service.intents for slot in parameters_of(intent)}
        returned = {slot for api in searches for slot in api.outputs}
        booked = {slot for api in bookings for slot in api.outputs}
        services_by_name[name.lower()] = Service(
            name,
            intents,
            searches[0] if len(searches) == 1 else None,
            bookings[0] if len(bookings) == 1 else None,
            frozenset(s for s in booked if is_reference(s) or s not in taken | returned),
            frozenset(slot.name for slot in service.slots),
        )
    return services_by_name
