"""Remember who first named each value in a dialogue: the user, or the system after a call."""

import msgspec

from parsers.dialogues.provenance.calls import Call
from parsers.dialogues.sgd.model import Action, Frame

_EVIDENCE = {"OFFER": "offered", "INFORM": "informed", "CONFIRM": "confirmed"}
_NO_VALUES = frozenset({"INFORM_COUNT", "OFFER_INTENT"})
"""System acts whose values are counts or intents, not values of slots."""


class UserMention(msgspec.Struct, frozen=True, gc=False):
    """A value that the user stated for a slot, or `selected` from the system's offer."""

    turn: int
    service: str
    slot: str
    selected: bool


class SystemMention(msgspec.Struct, frozen=True, gc=False):
    """The system's first mention of a value for a slot.

    `call` is the index of the call that the mention refers to, or -1 if there is none. It is the
    latest successful call of the service or, when the system offers something instead, a failed
    call of the same turn.
    """

    turn: int
    slot: str
    call: int
    evidence: str


class Memory:
    """The mentions of values so far in a dialogue; letter case is ignored.

    `user` maps each value to the user's mentions in order. `system` maps each value, then each
    slot, to the system's first mention. Slots are kept apart because "a 2 star hotel" says nothing
    about the number of rooms. `latest_call` maps each service to its latest successful call.
    `failed_call` maps a service to the turn and index of a later call that failed.
    """

    def __init__(self) -> None:
        self.user: dict[str, list[UserMention]] = {}
        self.system: dict[str, dict[str, SystemMention]] = {}
        self.mentions = 0
        """The number of remembered mentions."""
        self.latest_call: dict[str, int] = {}
        self.failed_call: dict[str, tuple[int, int]] = {}

    def add_call(self, call_index: int, call: Call) -> None:
        """Store the call at `call_index`, to which the system's next words refer."""
        service = call.api.service
        if call.failed:
            self.failed_call[service] = (call.turn, call_index)
        else:
            self.latest_call[service] = call_index
            self.failed_call.pop(service, None)

    def add_user(self, turn: int, frame: Frame) -> None:
        """Store the values that the user names for a service."""
        for action in frame.actions:
            values = action.values if action.canonical_values is None else action.canonical_values
            if values:
                if action.act == "INFORM_INTENT":
                    continue
                selected = action.act == "SELECT"
                mention = UserMention(turn, frame.service, action.slot, selected)
                if values != action.values and action.values is not None:
                    # The user's own spelling counts too: "SFO" as well as its canonical name.
                    values += action.values
                self.mentions += len(values)
                for value in values:
                    self.user.setdefault(value.lower(), []).append(mention)

    def add_system(self, turn: int, frame: Frame) -> None:
        """Store the values that the system names for a service, after the calls of the turn."""
        for action in frame.actions:
            values = action.values if action.canonical_values is None else action.canonical_values
            if values:
                if action.act in _NO_VALUES:
                    continue
                slot = action.slot
                mention = None
                for value in values:
                    slot_mentions = self.system.setdefault(value.lower(), {})
                    if slot not in slot_mentions:
                        mention = mention or self._mention(turn, frame.service, action)
                        slot_mentions[slot] = mention
                        self.mentions += 1

    def _mention(self, turn: int, service: str, action: Action) -> SystemMention:
        call = self.latest_call.get(service, -1)
        if action.act == "OFFER":
            said_at, failed = self.failed_call.get(service, (-1, -1))
            if said_at == turn:
                call = failed
        return SystemMention(turn, action.slot, call, _EVIDENCE.get(action.act, "requested"))
