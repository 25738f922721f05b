"""Provide a sample of the faithfulness step, which judges a request for a table and a cab."""

import msgspec

from prompts.columns import QueryRow
from prompts.steps.faithfulness import STEP, CallVerdict, FaithfulnessReply, PromptData
from prompts.steps.instruction import STEP as INSTRUCTION
from tests.prompts.samples.base import Sample
from tests.prompts.samples.instruction import SAMPLE as TABLE_AND_RIDE


def _sample() -> Sample[PromptData]:
    text = (
        "Reserve a table for two at a place in Nordhafen and get us a cab to its address "
        "at 7:30 pm."
    )
    row = QueryRow("query:sample", "", INSTRUCTION.kind, text)
    step_input = STEP.input_about(INSTRUCTION, TABLE_AND_RIDE.step_input, row)
    reply = FaithfulnessReply(
        (
            CallVerdict(1, "Reserve a table for two", asked=True),
            CallVerdict(2, "get us a cab", asked=True),
        ),
        (),
        (),
        (),
        (),
    )
    return Sample(step_input, (msgspec.json.encode(reply).decode(),), text)


SAMPLE = _sample()
