"""This benchmark measures each stage of a rebuild, from files to a release, at growing sizes.

    python -m benchmarks.growth COUNT [COUNT...]

prints a line for each number of shortcuts, with the processor seconds of each stage, the peak
memory, and row counts. The counts must be those for which `benchmarks.worlds` made the inputs. Each
stage also prints a line when it ends. A million shortcuts take one process two hours.
"""

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TypeVar

import msgspec

from benchloom.release import check_release
from benchloom.release.building import ReleaseTable, describe_release, draft_release
from benchloom.storage.tables import read_rows, table_names, table_parts
from benchmarks._processor import apart, peak_mib, print_json
from benchmarks.worlds import Expected, expected, write_world
from flows.run.finished import FinishedStage
from flows.run.runner import run_stage, run_whole
from flows.run.stage import AnyStage
from flows.stages.definitions import normalise as normalise_definitions
from flows.stages.definitions import parse as parse_definitions
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.listings import parse as parse_listings
from flows.stages.release import FURTHER_GATES
from flows.stages.shortcuts import enrich, fingerprint, join, normalise, parse
from tests.support.stages import convert

T = TypeVar("T")
SIZES = (1_000, 2_000)
BUILDING = ("draft", "describe")
"""The stages that write a release (tables, documents, manifest), without the stage that checks."""


class GrowthFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures for `count` shortcuts; `seconds` maps stages to processor seconds."""

    count: int
    seconds: dict[str, float]
    peak_mib: float
    counts: Expected

    def is_planned(self) -> bool:
        """Whether the row counts are the expected counts."""
        return self.counts == expected(self.count)


class Pipeline:
    """The stages of a rebuild of one folder of inputs, which record their processor time.

    `seconds` maps the names of stages to the processor seconds of this process, without workers.
    """

    def __init__(self, world: Path, workspace: Path, workers: int = 1) -> None:
        self._world = world
        self._workers = workers
        self._workspace = workspace
        self.seconds: dict[str, float] = {}
        self._marks: dict[str, FinishedStage] = {}

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """Call `work`, record the processor seconds under `name`, and return the result."""
        began, start = time.monotonic(), time.process_time()
        result = work()
        self.seconds[name] = time.process_time() - start
        # A million takes hours: these lines show what an interrupted run has done.
        took = f"{self.seconds[name]:.1f} s of {time.monotonic() - began:.1f} s"
        sys.stderr.write(f"{name}: {took}, at most {peak_mib():.0f} MiB\n")
        if isinstance(result, FinishedStage):
            self._marks[name] = result
        return result

    def run(self, name: str, prepare: Callable[[], AnyStage]) -> FinishedStage:
        """Prepare and run a sharded stage, record the time of both, and return the result."""
        return self.timed(
            name, lambda: run_stage(prepare(), self._workspace, workers=self._workers)
        )

    def shortcuts(self) -> FinishedStage:
        """Run the stages that parse, normalise, fingerprint and enrich shortcuts."""
        inputs = [self._world / "shortcuts"]
        parsed = self.run("parse", lambda: parse.prepare(inputs, self._workspace))
        distinct = self.run("normalise", lambda: normalise.prepare(parsed))
        compared = self.run("fingerprint", lambda: fingerprint.prepare(distinct))
        return self.run("enrich", lambda: enrich.prepare(distinct, compared))

    def definitions(self) -> FinishedStage:
        """Run the stages that parse definitions and build their catalogue."""
        inputs, out = [self._world / "definitions"], self._workspace / "definitions"
        parsed = self.timed(
            "definitions",
            lambda: run_whole(parse_definitions.prepare_catalogue(inputs), out),
        )
        return self.run("catalogue", lambda: normalise_definitions.prepare([parsed]))

    def plans(self) -> FinishedStage:
        """Run the stages that convert dialogues and merge equal plans."""
        out = self._workspace / "dialogues"
        inputs, options = [self._world / "dialogues"], ConversionOptions()
        converted = self.timed("convert", lambda: convert("sgd", inputs, out, options))
        return self.run("plans", lambda: normalise_plans.prepare([converted]))

    def listings(self) -> FinishedStage:
        """Run the stage that parses the pages of a site into listings."""
        out = self._workspace / "listings"
        inputs = [self._world / "listings"]
        return self.timed(
            "listings", lambda: run_whole(parse_listings.prepare(inputs, "sharecuts"), out)
        )

    def joined(self) -> FinishedStage:
        """Run all stages of shortcuts and definitions, and the stage that joins both."""
        enriched_shortcuts, catalogue = self.shortcuts(), self.definitions()
        marks = self._workspace / "apps.toml"
        return self.run(
            "join",
            lambda: join.prepare(enriched_shortcuts, catalogue, marks),
        )

    def release(
        self,
        stages: list[FinishedStage],
        folder: Path,
        texts: Mapping[Path, Path] = MappingProxyType({}),
    ) -> None:
        """Build and check a release from the results of stages.

        For stages that wrote texts, `texts` maps the folder of the stage to the folder of the
        completed table `queries`.
        """
        folder.mkdir(parents=True)
        tables = [
            ReleaseTable(name, texts[stage.path] if name == "queries" else stage.path)
            for stage in stages
            for name in table_names()
            if table_parts(stage.path, name)
        ]
        marks = [stage.record for stage in stages]
        draft = self.timed("draft", lambda: draft_release(tables, marks, folder))
        self.timed("describe", lambda: describe_release(draft, folder.name))
        self.timed("check", lambda: check_release(folder, FURTHER_GATES))

    def counts(self) -> Expected:
        """Return the row counts of the stages, to compare them with the expected counts."""
        marks = self._marks
        (enriched,) = self._workspace.glob("normalised/enriched-*")
        clusters = [
            read_rows(part, ["near_duplicate_cluster"]).column(0)
            for part in table_parts(enriched, "shortcuts")
        ]
        return Expected(
            files=marks["parse"].objects,
            rejected=marks["parse"].reasons,
            merged=marks["normalise"].reasons,
            shortcuts=marks["enrich"].rows["shortcuts"],
            alike=sum(len(column) - column.null_count for column in clusters),
            listings=marks["listings"].rows["listings"],
            definitions=marks["definitions"].rows["api_definitions"],
            dialogues=marks["convert"].rows["planning_paths"],
            plans=marks["plans"].rows["planning_paths"],
        )


def grow(world: Path, count: int, workspace: Path) -> GrowthFigures:
    """Build and check a release from a folder of inputs with `count` shortcuts."""
    pipeline = Pipeline(world, workspace)
    stages = [pipeline.joined(), pipeline.plans()]
    pipeline.listings()
    pipeline.release(stages, workspace / "0.1.0")
    return GrowthFigures(
        count=count,
        seconds={name: round(seconds, 3) for name, seconds in pipeline.seconds.items()},
        peak_mib=round(peak_mib(), 1),
        counts=pipeline.counts(),
    )


def ratios() -> list[tuple[str, float, str]]:
    """Return the time of each stage at twice the size, relative to the time at the single size.

    Further figures are the time of the check relative to building, and the ratio of peak memory.
    """
    small, large = (_apart(count) for count in SIZES)
    figures = [
        (f"{name}, {SIZES[1]} over {SIZES[0]} shortcuts", large.seconds[name] / seconds, "<= 2.2")
        for name, seconds in small.seconds.items()
    ]
    building = sum(large.seconds[name] for name in BUILDING)
    figures.append(
        (
            "release check relative to building, one process",
            large.seconds["check"] / building,
            "<= 4",
        )
    )
    figures.append(
        (
            f"peak memory, {SIZES[1]} over {SIZES[0]} shortcuts",
            large.peak_mib / small.peak_mib,
            "<= 1.5",
        )
    )
    return figures


def _apart(count: int) -> GrowthFigures:
    """Measure one size in a new process, because a process keeps freed memory."""
    grown = apart(GrowthFigures, "benchmarks.growth", "--alone", count)
    if not grown.is_planned():
        sys.exit(
            f"growth: {count} shortcuts: the row counts are {grown.counts}, expected "
            f"{expected(count)}"
        )
    return grown


def main() -> None:
    """Print the figures for each number of shortcuts on the command line."""
    alone = sys.argv[1:2] == ["--alone"]
    for count in map(int, sys.argv[2 if alone else 1 :]):
        if not alone:
            print_json(_apart(count))
            continue
        with TemporaryDirectory(prefix="benchloom-") as folder:
            write_world(count, Path(folder) / "world")
            grown = grow(Path(folder) / "world", count, Path(folder) / "work")
        print_json(grown)


if __name__ == "__main__":
    main()
