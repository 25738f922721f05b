"""The services of a schema as calls need them: one search, one booking, and what each returns."""

from collections.abc import Mapping

import msgspec

from parsers.dialogues.sgd.schema import Api, Schema
from parsers.dialogues.sources.multiwoz.results import is_reference, parameters_of
from parsers.errors import ParseError

NO_INTENT = frozenset({"", "NONE"})


class Known(msgspec.Struct, frozen=True):
    """One service; `receipts` are the results that nothing but a booking gives."""

    name: str
    intents: dict[str, Api]
    search: Api | None
    booking: Api | None
    receipts: frozenset[str]
    slots: frozenset[str]

    def called(self, intent: str, turn: int) -> Api | None:
        """The API of an active intent; None where none is active.

        Raises:
            ParseError: unknown_intent.
        """
        if intent in NO_INTENT:
            return None
        if intent not in self.intents:
            raise ParseError("unknown_intent", f"turn {turn}: {self.name} has no intent {intent}")
        return self.intents[intent]


def known_services(schema: Schema) -> Mapping[str, Known]:
    """Every service by its name in lower case, as acts write it."""
    found = {}
    for service in schema.services:
        name = service.service_name
        intents = {one.name: schema.apis[name, one.name] for one in service.intents}
        searches = [one for one in intents.values() if not one.intent.is_transactional]
        bookings = [one for one in intents.values() if one.intent.is_transactional]
        taken = {slot for one in service.intents for slot in parameters_of(one)}
        returned = {slot for one in searches for slot in one.outputs}
        booked = {slot for one in bookings for slot in one.outputs}
        found[name.lower()] = Known(
            name,
            intents,
            searches[0] if len(searches) == 1 else None,
            bookings[0] if len(bookings) == 1 else None,
            frozenset(s for s in booked if is_reference(s) or s not in taken | returned),
            frozenset(slot.name for slot in service.slots),
        )
    return found
