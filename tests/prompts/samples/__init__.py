"""Collect the samples of LLM steps from modules that are named after the steps."""

from typing import Any

from benchloom.core.kinds import Kind
from tests.prompts.samples.base import Sample

SAMPLES: Kind[Sample[Any]] = Kind(
    "sample of a step", __name__, Sample, attribute="SAMPLE", beside=("base",)
)
