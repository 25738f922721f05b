"""The code that decides the rows of every stage."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

import flows.stages
from benchloom.code_digests.closure import Closure
from benchloom.code_digests.stage_code import StageCode
from benchloom.formats import FORMATS, Reading
from flows.stages.dialogues.convert import code_of
from flows.stages.generate.plan import GeneratePlan
from flows.stages.imports import code_of as code_of_import
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.steps import STEPS


def stage_codes() -> dict[str, StageCode]:
    """Every stage that says what decides its rows, as its module has it."""
    found: dict[str, StageCode] = {}
    for module in pkgutil.walk_packages(flows.stages.__path__, f"{flows.stages.__name__}."):
        loaded = importlib.import_module(module.name)
        code = getattr(loaded, "CODE", None)
        if isinstance(code, StageCode) and code.module == module.name:
            assert code.stage not in found, f"two stages are called {code.stage}"
            found[code.stage] = code
    return found


def _given() -> dict[str, tuple[StageCode, tuple[type, ...]]]:
    """Every stage with what it is given: a step, or nothing."""
    found: dict[str, tuple[StageCode, tuple[type, ...]]] = {
        stage: (code, ())
        for stage, code in stage_codes().items()
        if stage not in {"convert", "import"}
    }
    for name in FORMATS.only(Reading):
        code = code_of_import(name)
        found[code.stage] = (code, ())
    for source in DIALOGUE_SOURCES.names():
        code = code_of(source)
        found[code.stage] = (code, ())
    for name, step in STEPS.all().items():
        code = GeneratePlan(step=name, source=Path()).code()
        found[code.stage] = (code, (type(step),))
    return dict(sorted(found.items()))


@cache
def closures() -> dict[str, Closure]:
    """The code of every stage: of `convert` for each source, of `generate` with each step."""
    return {stage: code.closure(given) for stage, (code, given) in _given().items()}
