"""Dialogues in the JSON lines that API-Bank publishes, for tests of its evaluation."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample

Line = Mapping[str, object]
AS_GIVEN = "untold"


def user(text: str) -> Line:
    return {"role": "User", "text": text}


def assistant(text: str) -> Line:
    return {"role": "AI", "text": text}


def call(
    api: str,
    arguments: Mapping[str, object],
    output: object = "done",
    understood: object = AS_GIVEN,
    exception: str | None = None,
) -> Line:
    parsed_arguments = arguments if understood == AS_GIVEN else understood
    result = {"api_name": api, "input": parsed_arguments, "output": output, "exception": exception}
    return {"role": "API", "api_name": api, "param_dict": arguments, "result": result}


def write(path: Path, lines: Sequence[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def dialogue_samples(folder: Path, *lines: Line, level: int = 1) -> list[GoldSample]:
    """Write one dialogue of a level into a folder, and return its gold samples."""
    write(folder / f"lv{level}" / "Talk-level-1-1.jsonl", lines)
    return cast("list[GoldSample]", list(BENCHMARK.read_gold(folder)))
