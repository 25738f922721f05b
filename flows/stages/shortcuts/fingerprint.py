"""Stage fingerprint, shortcuts: the shingles of every row, for finding near duplicates."""

from pathlib import Path

from benchloom.normalise.shortcuts.fingerprints import TABLE, read_shingles, write_fingerprints
from flows.run.output import Output
from flows.run.reads import table_of
from flows.run.stage import Stage, nothing_shared
from flows.stages.shortcuts import normalise as normalise_shortcuts

STAGE = "fingerprint-shortcuts"


def prepare(normalised: Path, root: Path) -> Stage[None, Path]:
    """Build the stage over a complete normalised stage, in a folder of `root` named by its key.

    Raises:
        RunError: `normalised` is not a complete stage.
    """
    return Stage(
        name=STAGE,
        root=root,
        subject="fingerprints",
        reads=table_of(normalised, normalise_shortcuts.STAGE, "shortcuts"),
        tables=(),
        shared=nothing_shared,
        make=fingerprint_rows,
        balance=(TABLE,),
    )


def fingerprint_rows(_: None, part: Path, output: Output) -> None:
    """Write the fingerprints of the rows of one file."""
    output.objects = write_fingerprints(output.path(TABLE), read_shingles(part))
    output.wrote(TABLE, output.objects)
