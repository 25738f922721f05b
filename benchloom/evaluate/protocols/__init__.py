"""Prompts from the benchmarks' papers: each module defines the `PROTOCOL` of a benchmark.

All prompt texts are in our own words; their content and their steps are the paper's.
"""

from benchloom.core.kinds import Kind
from benchloom.evaluate.protocol import Protocol

PROTOCOLS = Kind("protocol", __name__, Protocol, attribute="PROTOCOL", dashed=True)
