"""The stage `fingerprint` computes the shingles of every shortcut, to find near duplicates."""

from pathlib import Path

from benchloom.normalise.shortcuts.fingerprints import TABLE, read_shingles, write_fingerprints
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import rows_of
from flows.run.stage import Stage, nothing_shared

STAGE = "fingerprint-shortcuts"


def prepare(normalised: FinishedStage) -> Stage[None, Path]:
    """Build the stage that computes the fingerprints of normalised shortcuts."""
    return Stage(
        name=STAGE,
        subject="normalised/fingerprints",
        reads=rows_of(normalised, "shortcuts"),
        tables=(),
        shared=nothing_shared,
        make=fingerprint_rows,
        balance=(TABLE,),
    )


def fingerprint_rows(_: None, part: Path, output: Output) -> None:
    """Write the fingerprints of the shortcuts in one file."""
    output.objects = write_fingerprints(output.path(TABLE), read_shingles(part))
    output.wrote(TABLE, output.objects)
