"""Read the system's answers in a turn: results, no results, a booking, or a failed booking."""

from collections.abc import Mapping, Sequence

import msgspec

from parsers.dialogues.sources.multiwoz.acts import Act, SpanTurn
from parsers.dialogues.sources.multiwoz.services import Service

BOOKING = "booking"
"""The domain of acts that do not name the booked service."""
_RESULT_ACTS = frozenset({"inform", "recommend", "select", "offerbook"})
_BOOKED = frozenset({"book", "offerbooked"})


class Answer(msgspec.Struct):
    """The system's answer about one service; `values` lists its slots and values in order."""

    has_result: bool = False
    no_result: bool = False
    booked: bool = False
    refused: bool = False
    values: dict[tuple[str, str], None] = {}

    @property
    def failed(self) -> bool:
        """Whether the system says that there is no result or that it cannot book."""
        return not self.booked and (self.refused or self.no_result)


def answers_of(
    turn: SpanTurn, acts: Sequence[Act] | None, services: Mapping[str, Service], booked: str | None
) -> dict[str, Answer]:
    """Return a mapping from the name of each service to the answer that a system turn gives.

    If the dialogue has no acts, `acts` is None and only spans are used. The keys of `services` are
    names in lower case. `booked` is the service of booking acts that do not name a service.
    """
    answers: dict[str, Answer] = {}
    receipt = _service_of_receipt(turn, services)
    for act in acts or ():
        service = services.get(act.domain)
        if act.domain == BOOKING:
            name = receipt or booked
            service = services.get(name.lower()) if name else None
        if service is not None:
            _add_act(answers.setdefault(service.name, Answer()), act, service)
    for frame in turn.frames:
        service = services.get(frame.service.lower())
        if service is None or not frame.slots:
            continue
        answer = answers.setdefault(frame.service, Answer())
        if acts is None:
            answer.has_result = True
        elif answer.failed and not answer.has_result:
            continue  # it repeats the request
        for span in frame.slots:
            for value in span.values:
                _add_value(answer, span.slot, value, service)
    return answers


def _add_act(answer: Answer, act: Act, service: Service) -> None:
    if act.does in _BOOKED:
        answer.booked = True
    elif act.does == "nobook":
        answer.refused = True
    elif act.does == "nooffer":
        answer.no_result = True
    elif act.does in _RESULT_ACTS and act.domain != BOOKING:
        answer.has_result = True
    if act.value is not None and act.does in _RESULT_ACTS | _BOOKED:
        _add_value(answer, f"{service.name}-{act.slot}", act.value, service)


def _add_value(answer: Answer, slot: str, value: str, service: Service) -> None:
    if slot in service.slots:
        answer.values[slot, value] = None
        answer.booked = answer.booked or slot in service.receipts


def _service_of_receipt(turn: SpanTurn, services: Mapping[str, Service]) -> str | None:
    for frame in turn.frames:
        service = services.get(frame.service.lower())
        if service and any(span.slot in service.receipts for span in frame.slots):
            return frame.service
    return None
