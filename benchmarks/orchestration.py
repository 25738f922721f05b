"""Prefect's share of a rebuild: processor time of the command, less the same stages without it.

    python -m benchmarks orchestration

Both are whole commands over one small world, each in a fresh workspace. With Prefect it is the
command as people run it, with a server of its own whose database lies below a home; the first run
of a home makes that database.
"""

import os
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks._processor import processor_seconds
from benchmarks.rebuilds import configured
from benchmarks.worlds import write_world

COUNT = 100
RUNS = 3


def ratios() -> list[tuple[str, float, str]]:
    """Processor seconds, medians; the first run of all writes bytecode and counts for nothing."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        write_world(COUNT, folder / "world")
        config = configured(folder / "world")
        without, within = "benchmarks._without_prefect", "flows.cli"
        _seconds(within, config, folder / "warm", folder / "other")
        first = _seconds(within, config, folder / "first", folder / "home")
        alone = median(
            _seconds(without, config, folder / f"without-{run}", folder / "home")
            for run in range(RUNS)
        )
        whole = median(
            _seconds(within, config, folder / f"with-{run}", folder / "home") for run in range(RUNS)
        )
    about = f"of a rebuild of {COUNT} shortcuts, processor seconds"
    return [
        (f"Prefect's share {about}", whole - alone, "<= 6"),
        (f"the first one of a home adds to that share {about}", first - whole, "<= 4"),
    ]


def _seconds(module: str, config: Path, workspace: Path, home: Path) -> float:
    home.mkdir(exist_ok=True)
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")
    }
    words = [module, "rebuild", "--config", str(config), "--workspace", str(workspace)]
    return processor_seconds(words, variables | {"HOME": str(home)})
