"""Rebuild calls from the dialogue state, for files that record no calls (as MultiWOZ does).

A call happens at a system turn that notifies success or failure or makes an offer. The exception is
an offer in reply to a user who asked for alternatives and stated no value. The parameters of a call
are the active intent's slots in the state, with canonical values, without `dontcare`.
"""

from parsers.dialogues.provenance.calls import state_values
from parsers.dialogues.sgd.model import (
    Action,
    Dialogue,
    Frame,
    RebuiltDialogue,
    ServiceCall,
    State,
    Turn,
)
from parsers.dialogues.sgd.schema import Schema

REBUILT = "rebuilt_calls"
"""The oddity of a plan whose calls were rebuilt."""
_NOTICES = frozenset({"NOTIFY_SUCCESS", "NOTIFY_FAILURE"})


def rebuild_calls(dialogue: Dialogue, schema: Schema) -> RebuiltDialogue:
    """Return the dialogue with a call in every system frame that must have made one.

    A result row contains the values that the system offers, informs or confirms in that frame.
    """
    canonical: dict[tuple[str, str], str] = {}
    latest: dict[str, Frame] = {}
    turns: list[Turn] = []
    for turn in dialogue.turns:
        for frame in turn.frames:
            _add_spellings(frame, canonical)
        if turn.speaker == "USER":
            latest.update((frame.service, frame) for frame in turn.frames)
            turns.append(turn)
        else:
            frames = tuple(
                _with_call(frame, latest.get(frame.service), canonical, schema)
                for frame in turn.frames
            )
            turns.append(Turn(turn.speaker, frames, turn.utterance))
    return RebuiltDialogue(dialogue.dialogue_id, tuple(turns), (REBUILT,))


def _add_spellings(frame: Frame, canonical: dict[tuple[str, str], str]) -> None:
    for action in frame.actions:
        for surface, value in zip(action.values or (), action.canonical_values or (), strict=False):
            canonical[action.slot, surface] = value
            # For a value that is carried over to another service, whose slot no act names.
            canonical.setdefault(("", surface), value)


def _with_call(
    frame: Frame, user: Frame | None, canonical: dict[tuple[str, str], str], schema: Schema
) -> Frame:
    if user is None or user.state is None or not _calls(frame, user):
        return frame
    api = schema.apis.get((frame.service, user.state.active_intent))
    if api is None:
        return frame
    intent = api.intent
    parameters = {
        name: value
        for name, value in _canonical_state(user.state, canonical).items()
        if name in intent.parameters and value != "dontcare"
    }
    system_values = {
        action.slot: action.canonical_values[0]
        for action in frame.actions
        if action.act in {"OFFER", "INFORM", "CONFIRM"} and action.canonical_values
    }
    row = {
        name: value
        for name, value in {**parameters, **system_values}.items()
        if name in api.outputs
    }
    has_results = not any(action.act == "NOTIFY_FAILURE" for action in frame.actions)
    return Frame(
        service=frame.service,
        actions=frame.actions,
        service_call=ServiceCall(intent.name, parameters),
        service_results=(row,) if has_results else (),
        state=frame.state,
    )


def _canonical_state(state: State, canonical: dict[tuple[str, str], str]) -> dict[str, str]:
    values = state_values(state.slot_values)
    return {
        slot: next(
            (canonical[at] for at in _slot_surfaces(slot, surfaces) if at in canonical), surfaces[0]
        )
        for slot, surfaces in values.items()
        if surfaces
    }


def _slot_surfaces(slot: str, surfaces: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, surface) for name in (slot, "") for surface in surfaces]


def _calls(frame: Frame, user: Frame) -> bool:
    acts = {action.act for action in frame.actions}
    if not acts.isdisjoint(_NOTICES):
        return True
    if "OFFER" not in acts:
        return False
    return not _has_act(user.actions, "REQUEST_ALTS") or _has_act(user.actions, "INFORM")


def _has_act(actions: tuple[Action, ...], act: str) -> bool:
    return any(action.act == act for action in actions)
