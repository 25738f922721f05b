"""LLM steps, one per module: typed input, template and typed reply."""

from typing import Any

from benchloom.core.kinds import Kind
from prompts.steps.base import Step

AnyStep = Step[Any]

STEPS: Kind[AnyStep] = Kind("step", __name__, Step, attribute="STEP", beside=("base",))
JUDGED_WRITERS = ("query", "instruction")
"""Steps whose texts the judge of faithfulness reads: both have a source to compare a text with."""
JUDGE = "faithfulness"
JUDGED_STEPS = frozenset({*JUDGED_WRITERS, JUDGE})
