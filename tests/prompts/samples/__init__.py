"""Samples of LLM steps, one module for each step with the step's name."""

from typing import Any

from benchloom.core.kinds import Kind
from tests.prompts.samples.base import Sample

SAMPLES: Kind[Sample[Any]] = Kind(
    "sample of a step", __name__, Sample, attribute="SAMPLE", beside=("base",)
)
