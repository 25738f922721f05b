"""Who named each value in a dialogue: the user, or the system and after which call."""

import msgspec

from parsers.dialogues.calls import check_values
from parsers.dialogues.model import Frame

_EVIDENCE = {"OFFER": "offered", "INFORM": "informed", "CONFIRM": "confirmed"}
_NO_VALUES = frozenset({"INFORM_COUNT", "OFFER_INTENT"})
"""System acts whose values are counts and intents, not slot values."""


class UserMention(msgspec.Struct, frozen=True, gc=False):
    """A value the user gave for a slot."""

    turn: int
    service: str
    slot: str


class SystemMention(msgspec.Struct, frozen=True, gc=False):
    """The system's first mention; `call` is its service's latest successful call, -1 for none."""

    turn: int
    slot: str
    call: int
    evidence: str


class Memory:
    """Mentions of values, compared without regard to case, as the dialogue goes on.

    `user` holds every mention of a value in order, `system` the first one, `elsewhere` the turn in
    which the system first named it for another slot, and `latest_call` the latest successful call
    of each service.
    """

    def __init__(self) -> None:
        self.user: dict[str, list[UserMention]] = {}
        self.system: dict[str, SystemMention] = {}
        self.heard = 0
        """How many values the user has given."""
        self.elsewhere: dict[tuple[str, str], int] = {}
        self.latest_call: dict[str, int] = {}

    def hear_user(self, turn: int, frame: Frame) -> None:
        """Remember what the user says of a service.

        Raises:
            ParseError: empty_values.
        """
        user = self.user
        for action in frame.actions:
            values = action.values if action.canonical_values is None else action.canonical_values
            if values:
                if action.act == "INFORM_INTENT":
                    continue
                mention = UserMention(turn, frame.service, action.slot)
                if values != action.values and action.values is not None:
                    check_values(turn, action)
                    # What the user typed counts too: "SFO" as well as its canonical name.
                    values += action.values
                self.heard += len(values)
                for value in values:
                    key = value.lower()
                    if key in user:
                        user[key].append(mention)
                    else:
                        user[key] = [mention]
            elif action.slot and action.act != "REQUEST":
                check_values(turn, action)

    def hear_system(self, turn: int, frame: Frame) -> None:
        """Remember what the system says of a service, after the turn's calls are known.

        Raises:
            ParseError: empty_values.
        """
        system = self.system
        for action in frame.actions:
            values = action.values if action.canonical_values is None else action.canonical_values
            if values:
                if action.values == ():
                    check_values(turn, action)
                for value in values:
                    key = value.lower()
                    if key in system:
                        if system[key].slot != action.slot:
                            self.elsewhere.setdefault((action.slot, key), turn)
                    elif action.act not in _NO_VALUES:
                        system[key] = SystemMention(
                            turn,
                            action.slot,
                            self.latest_call.get(frame.service, -1),
                            _EVIDENCE.get(action.act, "requested"),
                        )
            elif action.slot and action.act != "REQUEST":
                check_values(turn, action)
