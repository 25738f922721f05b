"""Provide a sample of the category step, about the tea timer of the query step's sample."""

import msgspec

from prompts.inputs.shortcuts import ShortcutInput
from prompts.steps.category import CategoryReply
from tests.prompts.samples.base import Sample
from tests.prompts.samples.query import SAMPLE as QUERY


def _sample() -> Sample[ShortcutInput]:
    step_input = QUERY.step_input
    reply = CategoryReply(
        "Counts down and tells you when the tea is ready.", "Tea timer", "Lifestyle & Social"
    )
    return Sample(step_input, (msgspec.json.encode(reply).decode(),), step_input.description)


SAMPLE = _sample()
