"""Dialogues of our own, written as API-Bank writes them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample

Line = Mapping[str, object]
UNTOLD = "untold"


def user(text: str) -> Line:
    return {"role": "User", "text": text}


def assistant(text: str) -> Line:
    return {"role": "AI", "text": text}


def call(
    api: str,
    given: Mapping[str, object],
    output: object = "done",
    understood: object = UNTOLD,
    exception: str | None = None,
) -> Line:
    taken = given if understood == UNTOLD else understood
    result = {"api_name": api, "input": taken, "output": output, "exception": exception}
    return {"role": "API", "api_name": api, "param_dict": given, "result": result}


def write(path: Path, lines: Sequence[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def asked(folder: Path, *lines: Line, level: int = 1) -> list[GoldSample]:
    """The samples of one dialogue of a level."""
    write(folder / f"lv{level}" / "Talk-level-1-1.jsonl", lines)
    return cast("list[GoldSample]", list(BENCHMARK.read_gold(folder)))
