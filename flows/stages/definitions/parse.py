"""The stage `parse` of API definitions reads definition files and app bundles.

It writes `api_definitions` and `rejected`.

The stage writes one row per API and file. `prepare_catalogue`, which the command uses, also
merges these rows into the catalogue: one row per API, and the table `conflicts`.
"""

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchloom.core.progress import under_way
from benchloom.storage.inputs import (
    exclude_folders,
    pack_names,
    planned_objects,
    source_files,
    unpack_names,
)
from benchloom.storage.inputs.nested import list_nested_objects
from flows.run.output import Output, Result
from flows.run.reads import ListedObject, Range, ranges_of
from flows.run.runner import WholeStage, run_stage
from flows.run.stage import Stage
from flows.stages.definitions.normalise import TABLES, write_catalogue
from parsers.definitions.units import find_units, parse_unit

STAGE = "parse-definitions"
PART_BYTES = 16 * 1024 * 1024
_PARTS = "parts"


class ParseInputs(NamedTuple):
    """The values that all shards of the stage share.

    `names` are the compressed names of all input objects. `app` is the identifier of the app to
    which definition files outside bundles belong.
    """

    inputs: Sequence[Path]
    names: bytes
    app: str | None


def prepare(
    inputs: Sequence[Path], workspace: Path | None, app: str | None = None
) -> Stage[ParseInputs, Range]:
    """Build the stage that parses the definitions in the inputs.

    The inputs must be outside the workspace. `app` is the identifier of the app for definition
    files outside bundles.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    with ExitStack() as stack, exclude_folders(*((workspace,) if workspace else ())):
        sources = source_files(inputs)
        files = list_nested_objects(inputs, stack)
        units, _ = find_units(files, app)
        names = pack_names(file.source_uri for file in files)
    objects = [ListedObject(unit.source.source_uri, unit.source.size) for unit in units]
    reads = ranges_of(objects, sources, inputs, PART_BYTES, is_even=True)
    return Stage(
        name=STAGE,
        workspace=workspace,
        subject="parsed/definitions",
        # A unit also reads other files of its bundle.
        reads=reads.interdependent((0, 0)),
        options=[app or ""],
        tables=("api_definitions", "rejected"),
        shared=partial(ParseInputs, inputs, names, app),
        make=parse_range,
        balance=(),
    )


def parse_range(planned: ParseInputs, positions: Range, output: Output) -> None:
    """Parse the definition files in one range of positions.

    The shard of the first range also reports the files that contain no definitions.
    """
    with ExitStack() as stack:
        listed = list_nested_objects(planned.inputs, stack)
        units, rejected = find_units(
            planned_objects(listed, unpack_names(planned.names)), planned.app
        )
        units = units[slice(*positions)]
        if output.number:
            rejected = []
        for unit in units:
            for definition in parse_unit(unit, rejected):
                output.add("api_definitions", definition)
    output.reject_sorted(rejected)
    # A file and each of its unreadable parts are counted as separate objects.
    rejected_uris = {row.source_uri for row in rejected}
    unread = sum(unit.source.source_uri in rejected_uris for unit in units)
    output.objects = len(units) - unread + len(rejected)
    output.inputs = len(units)


def prepare_catalogue(
    inputs: Sequence[Path], app: str | None = None, workers: int = 1
) -> WholeStage:
    """Build the stage that parses the definitions in the inputs and merges them in a catalogue."""
    return WholeStage(
        name=STAGE, tables=TABLES, write=partial(parse_catalogue, inputs, app, workers)
    )


def parse_catalogue(inputs: Sequence[Path], app: str | None, workers: int, result: Result) -> None:
    """Parse the inputs, and merge the rows into `api_definitions`, `conflicts` and `rejected`."""
    parts = result.folder / _PARTS
    with under_way("parse definitions", unit="shards") as progress:
        stage = replace(prepare(inputs, None, app), folder=parts)
        parsed = run_stage(stage, workers=workers, progress=progress)
    write_catalogue([parts], result)
    shutil.rmtree(parts)
    result.objects = parsed.objects
    result.add_reasons(parsed.reasons)
    result.decides = ["catalogue", parsed.key]
    result.sources = parsed.sources
