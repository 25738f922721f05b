"""Prompts from the benchmarks' papers: each module defines the `PROTOCOL` of a benchmark.

The wording of all prompts is our own; content and steps are those of the papers.
"""

from benchloom.core.kinds import Kind
from benchloom.evaluate.protocol import Protocol

PROTOCOLS = Kind("protocol", __name__, Protocol, attribute="PROTOCOL", dashed=True)
