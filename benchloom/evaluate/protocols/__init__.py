"""Prompts as in the benchmarks' papers: each module defines the `PROTOCOL` of one benchmark.

The wording of all prompts is our own; the papers determine only their content and steps.
"""

from benchloom.core.kinds import Kind
from benchloom.evaluate.protocol import Protocol

PROTOCOLS = Kind("protocol", __name__, Protocol, attribute="PROTOCOL", dashed=True)
