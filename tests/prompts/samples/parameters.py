"""Provide a sample of the parameters step, whose request states only the first of two values."""

import msgspec

from prompts.language.value_texts.decisions import Decision
from prompts.steps.parameters import Judged, ParametersInput, ParametersReply
from tests.prompts.samples.base import Sample


def _sample() -> Sample[ParametersInput]:
    step_input = ParametersInput(
        "Please wake me at half past six with birdsong",
        (
            Decision(0, "alarm.create", "time", "06:30", "say", "text", ""),
            Decision(0, "alarm.create", "volume", "40", "say", "number", ""),
        ),
    )
    reply = ParametersReply((Judged(0, "at half past six", "stated"), Judged(1, "", "absent")))
    return Sample(step_input, (msgspec.json.encode(reply).decode(),), step_input.request)


SAMPLE = _sample()
