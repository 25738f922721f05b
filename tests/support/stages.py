"""Run stages as commands do, and observe them while they make their shards."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchloom.exchange.examples.imports import Report
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.runner import run_whole, write_tables
from flows.run.stage import AnyStage
from flows.stages.dialogues import convert as dialogues
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.imports import ImportOptions, SetImport
from tests.support.session_paths import shared_path
from tests.support.shared_data import shared_file


def watch_shards(stage: AnyStage, on_shard: Callable[[int], None]) -> AnyStage:
    """Return the stage with a function that it calls with the number of each shard beforehand."""
    make = partial(_make_watched, stage.make, on_shard)
    return replace(stage, make=make, concerns=stage.concerns)


def _make_watched(
    make: Callable[..., None],
    on_shard: Callable[[int], None],
    shared: Any,
    shard: Any,
    output: Output,
) -> None:
    on_shard(output.number)
    make(shared, shard, output)


def convert(
    source: str,
    inputs: Sequence[Path],
    out: Path,
    options: ConversionOptions | None = None,
    *,
    workers: int = 1,
) -> FinishedStage:
    """Convert dialogues into a folder, as the command does."""
    prepare = partial(dialogues.prepare, source, inputs, options=options)
    return write_tables(dialogues.stage_name(source), out, prepare, workers=workers)


def real_dialogues(factory: pytest.TempPathFactory) -> Path:
    """Return the stage of the real dialogues of SGD, converted once for all processes."""

    def make(folder: Path) -> Path:
        mark = convert(
            "sgd", [shared_file("sgd.zip")], folder / "out", ConversionOptions(mode="flow")
        )
        assert mark.rows["planning_paths"] == 3763
        assert mark.rows["rejected"] == 0
        return mark.path

    return shared_path(factory, "sgd", make)


class FinishedImport(NamedTuple):
    """A finished import with its stage and its report."""

    stage: FinishedStage
    report: Report
    states: tuple[str, ...]
    others: int


def import_set(
    format_name: str, inputs: Sequence[Path], out: Path, options: ImportOptions
) -> FinishedImport:
    """Import a set into a folder, as the command does."""
    set_import = SetImport(format_name, inputs, options)
    stage = run_whole(set_import.stage, out)
    return FinishedImport(stage, set_import.report, set_import.states, set_import.others)
