"""Load datasets, tasks and benchmarks for agents that call APIs.

    import benchloom

    release = benchloom.load("demo-output/releases/0.1.0")
    shortcuts = release.pandas("shortcuts")

The data are made from shortcuts, app definitions and dialogues. The functions here are those of
`flows.library`, which is imported when one of them is first used. The subpackages contain the core:
records, storage, normalise, exchange, worlds, release and evaluate.
"""

import importlib
from typing import TYPE_CHECKING

__version__ = "1.0.0"

if TYPE_CHECKING:
    from flows.library import (
        Release,
        compare_shortcuts,
        convert,
        load,
        parse,
        read_tasks,
        run_shortcut,
        score,
        score_shortcut,
        training_tasks,
    )

__all__ = [
    "Release",
    "__version__",
    "compare_shortcuts",
    "convert",
    "load",
    "parse",
    "read_tasks",
    "run_shortcut",
    "score",
    "score_shortcut",
    "training_tasks",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'benchloom' has no attribute '{name}'")
    # By name: the core may not import the flows, which are above it.
    return getattr(importlib.import_module("flows.library"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
