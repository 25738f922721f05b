"""`benchloom calibrate FOLDER... [--labels FILE]`."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from flows.commands.options import DEFAULT_WORKSPACE, Json, UnusedWorkspace, finish


class CalibrateSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `--json` prints; `found` is a `benchloom.calibration.Calibration`."""

    command: str
    folders: tuple[str, ...]
    labels: str | None
    found: object


def calibrate(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="Releases or folders that hold verdicts."),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            metavar="PATH",
            help='Folder of reviews, or lines {"target_id": "...", "kept": true, "by": "ann"}.',
        ),
    ] = None,
    precision: Annotated[
        float,
        typer.Option(
            "--precision", help="Share of good texts that a threshold of scores should reach."
        ),
    ] = 0.95,
    json: Json = False,
    workspace: UnusedWorkspace = DEFAULT_WORKSPACE,
) -> None:
    """Tell how far checks, judges and people agree, and how often each check is right.

    Labels are those of the file and verdicts of people in the folders; answers of reviews take the
    place of those in a release. Judges are asked one by one
    with `benchloom generate faithfulness`, each into a folder of its own.
    """
    from flows.commands._lean_arrow import slim_arrow

    slim_arrow()
    from benchloom.calibration import calibrate as compared
    from benchloom.calibration import ratings_in, read_labels
    from benchloom.calibration.telling import calibration_lines
    from benchloom.records.verdict import is_human

    ratings = [] if labels is None else list(read_labels(labels))
    # A release may hold the same answers, of the same people by their numbers.
    answered = labels is not None and labels.is_dir()
    ratings += (one for one in ratings_in(folders) if not (answered and is_human(one.rater)))
    found = compared(ratings, precision)
    summary = CalibrateSummary(
        command="calibrate",
        folders=tuple(map(str, folders)),
        labels=None if labels is None else str(labels),
        found=found,
    )
    finish(summary, list(calibration_lines(found)), as_json=json)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the command."""
    app.command("calibrate")(calibrate)
