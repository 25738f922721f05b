"""Provide a sample of the instruction score step, which compares two requests."""

import msgspec

from prompts.steps.instruction_score import ScoreInput, ScoreReply
from tests.prompts.samples.base import Sample


def _sample() -> Sample[ScoreInput]:
    step_input = ScoreInput("Could you find me a quiet table for two?", ("Play some jazz.",))
    reply = ScoreReply("Slightly formal.", 9, 8)
    return Sample(step_input, (msgspec.json.encode(reply).decode(),), step_input.text)


SAMPLE = _sample()
