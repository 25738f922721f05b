"""The digest of what decides the rows of every stage, as `tests/data/stage_keys.json` holds it.

`make golden` writes the file anew.
"""

import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path

import flows.stages
from benchloom.code_digests.closure import Closure
from benchloom.code_digests.stage_code import StageCode
from flows.stages.generate.plan import GeneratePlan
from prompts.steps import STEPS

GOLDEN = Path(__file__).parent / "data" / "stage_keys.json"


def stage_codes() -> dict[str, StageCode]:
    """Every stage that says what decides its rows; `generate` is one stage per step."""
    found: dict[str, StageCode] = {}
    for module in pkgutil.walk_packages(flows.stages.__path__, f"{flows.stages.__name__}."):
        loaded = importlib.import_module(module.name)
        code = getattr(loaded, "CODE", None)
        if isinstance(code, StageCode) and code.module == module.name:
            assert code.stage not in found, f"two stages are called {code.stage}"
            found[code.stage] = code
    return found


@cache
def closures() -> dict[str, Closure]:
    """The code of every stage, of `generate` with each of its steps."""
    found = {stage: code.closure() for stage, code in stage_codes().items()}
    return found | {
        f"generate-{name}": _plan(name).code().closure([type(step)])
        for name, step in STEPS.all().items()
    }


def digests() -> dict[str, str]:
    """The digests of all stages by name."""
    found = {stage: code.digest() for stage, code in stage_codes().items()}
    found |= {
        f"generate-{name}": _plan(name).code().digest([type(step)])
        for name, step in STEPS.all().items()
    }
    return dict(sorted(found.items()))


def _plan(step: str) -> GeneratePlan:
    return GeneratePlan(step=step, source=Path())


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(digests(), indent=1) + "\n")
