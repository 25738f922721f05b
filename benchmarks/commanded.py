"""This benchmark runs `benchloom rebuild` on large invented inputs, with two processes.

    python -m benchmarks.commanded COUNT [COUNT...]

prints a line for each number of shortcuts. The line has the elapsed and the processor seconds, the
peak memory of the largest process, the pace of the machine, and row counts. The counts must be
those for which `benchmarks.worlds` made the inputs. The output of the command goes to standard
error. Templates write the texts, and the release is checked.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchloom.release import Manifest, read_manifest
from benchloom.storage.tables import read_rows, table_parts
from benchmarks._pace import pace
from benchmarks._processor import print_json, usage_of
from benchmarks.rebuilds import configured
from benchmarks.worlds import Expected, expected, write_world


class RebuildFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The time, the memory and the row counts of a rebuild of `count` shortcuts.

    `clock` is elapsed time, `seconds` processor time; `pace` is explained in `benchmarks._pace`.
    """

    count: int
    clock: float
    seconds: float
    peak_mib: float
    pace: float
    counts: Expected

    def is_planned(self) -> bool:
        """Whether the rebuild has the expected counts; it reads no listings."""
        return self.counts == msgspec.structs.replace(expected(self.count), listings=0)


def commanded(count: int, folder: Path) -> RebuildFigures:
    """Make inputs with `count` shortcuts in a folder, and measure a rebuild of them."""
    write_world(count, folder / "world")
    config, workspace = configured(folder / "world"), folder / "work"
    words = ["flows.cli", "rebuild", "--config", str(config), "--workspace", str(workspace)]
    start = time.monotonic()
    with pace() as meanwhile:
        took = usage_of(words, verbose=True)
    clock = time.monotonic() - start
    (release,) = (workspace / "releases").glob("*.*.*")
    return RebuildFigures(
        count=count,
        clock=round(clock, 1),
        seconds=round(took.seconds, 1),
        peak_mib=round(took.peak_mib, 1),
        pace=round(meanwhile.mean, 2),
        counts=_counts_of(read_manifest(release), release),
    )


def _counts_of(manifest: Manifest, release: Path) -> Expected:
    """Return the row counts of a release, to compare them with the expected counts."""
    funnel = {step.stage: step for step in manifest.funnel}
    parsed = funnel["parse-shortcuts"]
    clusters = [
        read_rows(part, ["near_duplicate_cluster"]).column(0)
        for part in table_parts(release, "shortcuts")
    ]
    tables = manifest.tables()
    return Expected(
        files=parsed.received,
        rejected=parsed.reasons,
        merged=funnel["normalise-shortcuts"].reasons,
        shortcuts=tables["shortcuts"],
        alike=sum(len(column) - column.null_count for column in clusters),
        listings=0,
        definitions=funnel["parse-definitions"].rows["api_definitions"],
        dialogues=funnel["convert-sgd"].rows["planning_paths"],
        plans=tables["planning_paths"],
    )


def main() -> None:
    """Print the figures for each number of shortcuts on the command line.

    Raises:
        SystemExit: the row counts differ from the expected counts.
    """
    for count in map(int, sys.argv[1:]):
        with TemporaryDirectory(prefix="benchloom-") as folder:
            took = commanded(count, Path(folder))
        print_json(took)
        if not took.is_planned():
            sys.exit(f"commanded: the row counts are {took.counts}, expected {expected(count)}")


if __name__ == "__main__":
    main()
