"""The results of MultiWOZ's intents, inferred from slots because its schema declares none.

A search returns the slots of its service, except those that only a booking uses and the
booking's reference. A booking returns its reference; where a service has no search (a taxi), it
returns the slots that no intent takes.
"""

import msgspec

from parsers.dialogues.sgd.services import Intent, Service

ODDITY = "inferred_returns"
_REFERENCES = frozenset({"ref", "reference"})


class _InferredIntent(Intent, frozen=True):
    @property
    def oddities(self) -> tuple[str, ...]:
        return (ODDITY,)


def with_results(services: tuple[Service, ...]) -> tuple[Service, ...]:
    """Return the services with inferred results for every intent that declares none."""
    return tuple(
        msgspec.structs.replace(
            service, intents=tuple(_with_results(service, intent) for intent in service.intents)
        )
        for service in services
    )


def parameters_of(intent: Intent) -> tuple[str, ...]:
    """Return the slots that an intent takes as parameters."""
    return (*intent.required_slots, *intent.optional_slots)


def is_reference(slot: str) -> bool:
    """Whether a slot is the reference of a booking."""
    return slot.rpartition("-")[2] in _REFERENCES


def _with_results(service: Service, intent: Intent) -> Intent:
    if intent.result_slots:
        return intent
    searches = [other for other in service.intents if not other.is_transactional]
    taken = {slot for other in service.intents for slot in parameters_of(other)}
    search_slots = {slot for search in searches for slot in parameters_of(search)}
    names = [slot.name for slot in service.slots if not is_reference(slot.name)]
    if not intent.is_transactional:
        # Slots like `hotel-bookday` are used for bookings only.
        searched = [slot for slot in names if not slot.rpartition("-")[2].startswith("book")]
        results = [slot for slot in searched if slot in search_slots or slot not in taken]
    elif searches:
        results = [slot.name for slot in service.slots if is_reference(slot.name)]
    else:
        results = [slot.name for slot in service.slots if slot.name not in taken]
    return _InferredIntent(
        intent.name,
        intent.description,
        intent.is_transactional,
        intent.required_slots,
        intent.optional_slots,
        tuple(results),
    )
