"""The records of SGD's dialogues; decoding skips every field that is not declared here.

Rarely used fields stay `Raw`, a slice of the file. A typed decode of these types is two to three
times faster than decoding the whole file.
"""

import msgspec

_EMPTY = msgspec.Raw(b"")
NO_TEXT = msgspec.Raw(b'""')


class State(msgspec.Struct, frozen=True, gc=False):
    """The user's goal for one service so far; `slot_values` maps slots to surface forms."""

    slot_values: msgspec.Raw = _EMPTY
    active_intent: str = ""


class ServiceCall(msgspec.Struct, frozen=True, gc=False):
    """A call of a service with canonical values."""

    method: str
    parameters: dict[str, str]


class Action(msgspec.Struct, frozen=True, gc=False):
    """A dialogue act of the user or the system.

    Each of the `canonical_values` belongs to the surface form at the same position in `values`.
    """

    act: str
    slot: str = ""
    canonical_values: tuple[str, ...] | None = None
    values: tuple[str, ...] | None = None


class Frame(msgspec.Struct, frozen=True, gc=False):
    """The part of one turn about one service, with acts, call and results."""

    service: str
    actions: tuple[Action, ...] = ()
    service_call: ServiceCall | None = None
    service_results: tuple[dict[str, str], ...] = ()
    state: State | None = None


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One turn; `speaker` is USER or SYSTEM."""

    speaker: str
    frames: tuple[Frame, ...]
    utterance: msgspec.Raw = NO_TEXT


class Dialogue(msgspec.Struct, frozen=True, gc=False):
    """One dialogue with its turns."""

    dialogue_id: str
    turns: tuple[Turn, ...]


class RebuiltDialogue(Dialogue, frozen=True, gc=False):
    """A dialogue whose calls were rebuilt; `oddities` says from what they were rebuilt."""

    oddities: tuple[str, ...] = ()
