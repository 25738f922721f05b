"""Flow mode: the calls of a dialogue with the origin of every argument."""

from parsers.dialogues.sgd.model import Dialogue
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.tracing.calls import (
    Call,
    called_api,
    check_state,
    has_failed,
    missing_schema,
)
from parsers.dialogues.tracing.memory import Memory
from parsers.dialogues.tracing.origins import origin_of
from parsers.dialogues.tracing.producers import TracedCall
from parsers.errors import ParseError

MAX_ARGUMENTS = 2_000
MAX_CELLS = 100_000
MAX_MENTIONS = 20_000
"""Limits per dialogue, a hundred times the size of real dialogues: every argument is compared with
all earlier values and results."""


def traced_calls(dialogue: Dialogue, schema: Schema) -> list[TracedCall]:
    """Return the calls of a dialogue with the origins of their arguments."""
    memory = Memory()
    traced: list[TracedCall] = []
    user_spoke = False
    arguments = cells = 0
    names = schema.names
    for index, turn in enumerate(dialogue.turns):
        by_user = turn.speaker == "USER"
        user_spoke = user_spoke or by_user
        for frame in turn.frames:
            if frame.service not in names:
                raise missing_schema(index, frame)
            if frame.state is not None:
                check_state(index, frame.state.slot_values)
            frame_call = frame.service_call
            if frame_call is not None:
                api = called_api(
                    index, turn.speaker, frame, frame_call, schema, user_spoke=user_spoke
                )
                failed = has_failed(frame)
                arguments += len(frame_call.parameters)
                cells += sum([len(row) for row in frame.service_results])
                if arguments > MAX_ARGUMENTS or cells > MAX_CELLS or memory.heard > MAX_MENTIONS:
                    raise ParseError("too_large", f"turn {index}: the dialogue is too large")
                call = Call(index, api, frame_call.parameters, failed, frame.service_results)
                origins = {
                    name: origin_of(name, value, call, traced, memory)
                    for name, value in call.arguments.items()
                }
                traced.append(TracedCall(call, origins))
                memory.hear_call(len(traced) - 1, call)
            if by_user:
                memory.hear_user(index, frame)
        if not by_user:
            # After all calls of the turn, because the turn shows their results.
            for frame in turn.frames:
                memory.hear_system(index, frame)
    return traced
