"""Provide a sample of the query step, about a shortcut that times tea."""

import msgspec

from prompts.inputs.shortcuts import ApiText, Deed, ShortcutInput
from prompts.language.value_texts.decisions import Decision
from prompts.steps.query import QueryReply
from prompts.subject import Value
from tests.prompts.samples.base import Sample


def _sample() -> Sample[ShortcutInput]:
    required = (
        Value("180 seconds", "WFDuration", label="time"),
        Value("Tea", "WFNotificationActionTitle", label="title of the notification"),
    )
    step_input = ShortcutInput(
        name="Tea time",
        description="Reminds me to take the leaves out of the pot",
        comments=("green tea needs three minutes",),
        workflow='Start a timer for 180 seconds\nShow notification "Tea"',
        apis=(ApiText("Start Timer", "Starts a countdown."),),
        required=required,
        deeds=(
            Deed(0, "timer.start", "Start a timer for 180 seconds"),
            Deed(1, "notification", 'Show notification "Tea"'),
        ),
        decisions=tuple(
            Decision(index, api, value.name, value.value, "say", "text", value.label)
            for index, (api, value) in enumerate(
                zip(("timer.start", "notification"), required, strict=True)
            )
        ),
    )
    text = "Could you count down 180 seconds for me and pop up a note saying Tea when it is over?"
    return Sample(
        step_input, (msgspec.json.encode(QueryReply(text)).decode(),), step_input.description
    )


SAMPLE = _sample()
