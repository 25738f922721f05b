"""Rebuild the calls of one MultiWOZ dialogue from its states and the system's answers.

A service is searched when the system reports a result or no result, and the state has changed
since the last search; it is booked when the system gives a reference or says that it cannot
book. Values that the system mentions for a service before its next call count as results of its
last call.
"""

from collections.abc import Mapping, Sequence

import msgspec

from parsers.dialogues.provenance.calls import missing_schema
from parsers.dialogues.provenance.state_calls import REBUILT
from parsers.dialogues.sgd.model import Action, Frame, RebuiltDialogue, ServiceCall, State, Turn
from parsers.dialogues.sgd.schema import Api
from parsers.dialogues.sources.multiwoz.acts import Act, SpanDialogue, SpanTurn
from parsers.dialogues.sources.multiwoz.answers import Answer, answers_of
from parsers.dialogues.sources.multiwoz.forms import (
    Forms,
    Values,
    forms_of,
    is_none,
    user_actions,
    values_of,
)
from parsers.dialogues.sources.multiwoz.services import Service
from parsers.errors import ParseError

WITHOUT_ACTS = "calls_without_acts"
"""The oddity of plans whose calls were inferred from spans, which do not show failed calls."""
STATE_ALONE = "calls_by_state_alone"
"""The oddity of plans of dialogues without acts and spans, in which every change to a complete
state counts as a call."""
MAX_TEXT = 1_000
"""Maximum number of values that the system names in a dialogue. Each value is compared with all
earlier ones."""


class _ServiceCall(msgspec.Struct):
    # `rows` grow with the values that the system mentions later.
    api: Api
    arguments: dict[str, str]
    failed: bool
    rows: list[dict[str, str]]

    def add_value(self, slot: str, value: str) -> None:
        if any(row.get(slot) == value for row in self.rows):
            return
        for row in self.rows:
            if slot not in row:
                row[slot] = value
                return
        self.rows.append({slot: value})


class _Service(msgspec.Struct):
    schema: Service
    values: Values
    intent: Api | None = None
    search: _ServiceCall | None = None
    booking: _ServiceCall | None = None


class _Draft(msgspec.Struct):
    service: str
    actions: tuple[Action, ...]
    call: _ServiceCall | None
    state: State | None

    def frame(self) -> Frame:
        if self.call is None:
            return Frame(self.service, self.actions, state=self.state)
        call = ServiceCall(self.call.api.intent.name, self.call.arguments)
        return Frame(self.service, self.actions, call, tuple(self.call.rows), self.state)


class Rebuilding:
    """Rebuilds the calls of one dialogue.

    `services` maps names in lower case to services. `acts` maps the id of each turn to its acts,
    and is None for a dialogue without acts.
    """

    def __init__(
        self, services: Mapping[str, Service], acts: Mapping[str, Sequence[Act]] | None
    ) -> None:
        self._schemas = services
        self._acts = acts
        self._services: dict[str, _Service] = {}
        self._active: list[_Service] = []
        self._shown: set[str] = set()
        self._forms = Forms()
        self._alone = False
        self._named = 0

    def rebuilt(self, dialogue: SpanDialogue) -> RebuiltDialogue:
        """Return the dialogue in SGD's format, with each rebuilt call in its system frame."""
        self._forms = forms_of(dialogue)
        spoken = [turn for turn in dialogue.turns if turn.speaker != "USER"]
        spans = any(frame.slots for turn in spoken for frame in turn.frames)
        self._alone = self._acts is None and not spans
        drafts: list[tuple[SpanTurn, list[_Draft]]] = []
        for index, turn in enumerate(dialogue.turns):
            acts = None if self._acts is None else self._acts.get(str(turn.turn_id or index), ())
            read = self._user_turn if turn.speaker == "USER" else self._system_turn
            drafts.append((turn, read(index, turn, acts)))
        turns = tuple(
            Turn(turn.speaker, tuple(draft.frame() for draft in frames), turn.utterance)
            for turn, frames in drafts
        )
        oddities = [REBUILT]
        if self._acts is None:
            oddities.append(STATE_ALONE if self._alone else WITHOUT_ACTS)
        return RebuiltDialogue(dialogue.dialogue_id, turns, tuple(oddities))

    def _service(self, index: int, name: str) -> _Service:
        if name not in self._services:
            service = self._schemas.get(name.lower())
            if service is None or service.name != name:
                raise missing_schema(index, Frame(name))
            self._services[name] = _Service(service, {})
        return self._services[name]

    def _user_turn(self, index: int, turn: SpanTurn, acts: Sequence[Act] | None) -> list[_Draft]:
        drafts = []
        self._active = []
        for frame in turn.frames:
            service = self._service(index, frame.service)
            actions = user_actions(frame, acts or (), service.values, self._shown, self._forms)
            if frame.state is not None:
                service.values = {
                    slot: forms for slot, forms in values_of(frame).items() if not is_none(forms[0])
                }
                active = service.schema.called(frame.state.active_intent, index)
                if active is not None:
                    service.intent = active
                    self._active.append(service)
            drafts.append(_Draft(frame.service, actions, None, frame.state))
        return drafts

    def _system_turn(self, index: int, turn: SpanTurn, acts: Sequence[Act] | None) -> list[_Draft]:
        for frame in turn.frames:
            self._service(index, frame.service)
        if self._alone:
            answers = {
                service.schema.name: Answer(
                    has_result=True, booked=service.intent is service.schema.booking
                )
                for service in self._active
            }
        else:
            answers = answers_of(turn, acts, self._schemas, self._bookable_service())
            if acts is None:
                for name, answer in answers.items():
                    answer.has_result = self._has_new_result(self._services[name], answer)
        return [self._draft_of(index, name, answer) for name, answer in answers.items()]

    def _has_new_result(self, service: _Service, answer: Answer) -> bool:
        # If the state contains all shown values, the system only asks for confirmation.
        return any(
            self._forms.value(slot, form) != self._forms.value(slot, service.values[slot][0])
            if slot in service.values
            else slot not in service.schema.receipts
            for slot, form in answer.values
        )

    def _bookable_service(self) -> str | None:
        bookable = [service for service in self._active if service.schema.booking is not None]
        booking = [service for service in bookable if service.intent is service.schema.booking]
        return next((service.schema.name for service in (*booking, *bookable)), None)

    def _draft_of(self, index: int, name: str, answer: Answer) -> _Draft:
        service = self._service(index, name)
        new_call = self._call(service, answer)
        actions = []
        if new_call is not None and new_call.failed:
            actions.append(Action("NOTIFY_FAILURE"))
        act = "INFORM" if new_call is None else "OFFER"
        self._named += len(answer.values)
        if self._named > MAX_TEXT:
            raise ParseError("too_large", f"turn {index}: more values than the limit ({MAX_TEXT})")
        for slot, form in answer.values:
            action = self._forms.action(act, slot, form)
            actions.append(action)
            value = self._forms.value(slot, form)
            self._shown.update({form.lower(), value.lower()})
            for call in (new_call, service.booking, service.search):
                if call is not None and slot in call.api.outputs:
                    if call is new_call or not call.failed:
                        call.add_value(slot, value)
                    break
        return _Draft(name, tuple(actions), new_call, None)

    def _call(self, service: _Service, answer: Answer) -> _ServiceCall | None:
        api = service.schema.booking
        if api is not None and (answer.booked or answer.refused):
            new_call = self._service_call(service, api, service.booking, answer)
            service.booking = new_call or service.booking
            return new_call
        if not (answer.has_result or answer.no_result) or service.intent is None:
            return None
        api = service.intent
        if api.intent.is_transactional:
            if service.schema.search is None:
                return None
            api = service.schema.search
        new_call = self._service_call(service, api, service.search, answer)
        service.search = new_call or service.search
        return new_call

    def _service_call(
        self, service: _Service, api: Api, before: _ServiceCall | None, answer: Answer
    ) -> _ServiceCall | None:
        arguments = {
            slot: self._forms.value(slot, service.values[slot][0])
            for slot in api.intent.parameters
            if slot in service.values
        }
        if not arguments.keys() >= set(api.intent.required_slots):
            return None
        if before is not None and before.api is api and before.arguments == arguments:
            is_corrected = before.failed and answer.booked
            if not is_corrected:
                return None
        row = {slot: value for slot, value in arguments.items() if slot in api.outputs}
        failed = answer.failed
        return _ServiceCall(api, arguments, failed, [] if failed else [row])
