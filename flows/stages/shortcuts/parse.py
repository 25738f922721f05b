"""The stage `parse` of shortcuts writes every input object to `shortcuts` or to `rejected`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchloom.core.records import Shortcut
from benchloom.storage.inputs import SourceObject
from benchloom.storage.tables import BATCHES, PARQUET
from flows.run.each import EachObject
from flows.run.reads import ObjectFilter, ObjectRange, objects_under
from flows.run.stage import Stage, nothing_shared
from parsers.property_lists import is_binary
from parsers.shortcuts import parse_shortcut

STAGE = "parse-shortcuts"
PART_BYTES = 4 * 1024 * 1024


def every_object(source: SourceObject) -> bool:  # noqa: ARG001  `ObjectFilter` requires the parameter
    """Accept every object. This is the default, because a command reads all its inputs."""
    return True


def prepare(
    inputs: Sequence[Path],
    workspace: Path | None = None,
    *,
    with_cross_check: bool = False,
    part_bytes: int = PART_BYTES,
    accepts: ObjectFilter = every_object,
) -> Stage[None, ObjectRange]:
    """Build the stage that parses the shortcuts in the inputs.

    The inputs must be outside the workspace. `accepts` decides which objects are read; it must be a
    function of a module, because workers import it.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    return Stage(
        name=STAGE,
        workspace=workspace,
        subject="parsed/shortcuts",
        reads=objects_under(inputs, accepts, part_bytes, workspace),
        tables=("shortcuts", "rejected"),
        shared=nothing_shared,
        make=EachObject("parse", "shortcuts", partial(parse_object, with_cross_check)),
        options=[str(with_cross_check)],
        balance=("shortcuts",),
        ending=PARQUET if workspace else BATCHES,  # BATCHES are merged immediately
        compression="lz4",
    )


def parse_object(with_cross_check: bool, source: SourceObject, data: bytes) -> Shortcut:
    """Parse an object (a file or a member of an archive) into a row of `shortcuts`.

    Raises:
        RejectedInputError: the object is not a shortcut, or is damaged.
    """
    row = parse_shortcut(data, source.source_uri)
    if with_cross_check and is_binary(data):
        from parsers.shortcuts.cross_check import cross_check  # needs the extra 'cross-check'

        cross_check(data)
    return row
