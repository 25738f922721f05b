"""Small samples in the JSON lines of NESTFUL v2, for tests."""

import json
from pathlib import Path
from typing import Any

import msgspec

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.nestful import BENCHMARK


def call(name: str, number: int, /, **arguments: Plain) -> dict[str, Plain]:
    """Return one entry of `output`."""
    return {"name": name, "label": f"$var_{number}", "arguments": arguments}


def relabel_calls(output: list[dict[str, Plain]], offset: int) -> list[Any]:
    """Return the calls with `offset` added to the number of each label."""
    text = json.dumps(output)
    for number in range(len(output), 0, -1):
        text = text.replace(f"$var_{number}", f"$var_{number + offset}")
    calls: list[Any] = json.loads(text)
    return calls


def tool(name: str, *parameters: str, outputs: tuple[str, ...] = ("result",)) -> dict[str, Plain]:
    """Return one entry of `tools`."""
    return {
        "name": name,
        "description": f"the {name} of something",
        "parameters": {
            parameter: {"type": "number", "description": parameter} for parameter in parameters
        },
        "output_parameter": {
            output: {"type": "number", "description": output} for output in outputs
        },
    }


TOOLS = [
    tool("ferry", "harbour", "day", outputs=("boat", "price")),
    tool("cabin", "boat", "time"),
    tool("half", "amount"),
    tool("sum_of", "left", "right"),
    tool("weather", "place"),
]
TRIP = [
    call("ferry", 1, harbour="Rostock", day=3),
    call("cabin", 2, boat="$var_1.boat$", time="noon"),
]
"""Two calls; the second uses a result of the first."""
HALVES = [
    call("half", 1, amount=8),
    call("half", 2, amount=8),
    call("half", 3, amount="$var_1.result$"),
    call("sum_of", 4, left="$var_3.result$", right="$var_2.result$"),
]
"""Two equal calls whose results are used by different calls."""


def sample_of(
    folder: Path, output: list[dict[str, Plain]], answer: Plain = None, **more: Plain
) -> Sample:
    """Write one record into a folder, and return its sample."""
    record: dict[str, Plain] = {
        "sample_id": "one",
        "input": "Please.",
        "output": list(output),
        "tools": list(TOOLS),
        "gold_answer": answer,
        **more,
    }
    path = folder / "gold.jsonl"
    path.write_bytes(msgspec.json.encode(record) + b"\n")
    return next(iter(BENCHMARK.read_gold(path)))
