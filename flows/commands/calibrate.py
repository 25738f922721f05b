"""The command `benchloom calibrate`: it compares checks, judges and people on the same texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import RunError
from flows.commands._help import Commands
from flows.commands.options import DEFAULT_WORKSPACE, Json, Workspace, finish

if TYPE_CHECKING:
    from flows.stages.generate.panel import JudgeRun

GROUP = Commands()


class CalibrateSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `calibrate --json` prints.

    `found` is a `Calibration` of `benchloom.release.review.calibration`. `asked` lists the judges
    that `--panel` ran, each with its name, its folder of verdicts and its outcome.
    """

    command: str
    folders: tuple[str, ...]
    labels: str | None
    found: object
    asked: tuple[object, ...] = ()


@GROUP.command("calibrate")
def calibrate(
    folders: Annotated[
        list[Path], Argument(metavar="FOLDER...", help="Releases or folders that contain verdicts.")
    ],
    labels: Annotated[
        Path | None,
        Option(
            metavar="PATH",
            help='Folder of reviews, or lines of {"target_id": "...", "kept": true, "by": "ann"}.',
        ),
    ] = None,
    precision: Annotated[
        float,
        Option(
            help="Share of good texts that the kept texts should have; sets the score threshold."
        ),
    ] = 0.95,
    panel: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="TOML file of judges to run first: [judges.NAME] with model, base_url, rules.",
        ),
    ] = None,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for the replies of the panel's judges.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Measure how far checks, judges and people agree.

    People's labels come from a file or from `benchloom review`. With --panel several models judge
    the texts first, so labels are not needed.

    Examples:
        benchloom calibrate workspace/releases/0.1.0 --labels workspace/reviews
        benchloom calibrate workspace/releases/0.1.0 --labels labels.jsonl --json
    """
    from benchloom.core.records.texts import is_human
    from benchloom.release.review.calibration import calibrate as compared
    from benchloom.release.review.calibration import ratings_in, read_labels
    from benchloom.release.review.calibration.report import calibration_lines
    from benchloom.storage.tables import table_parts

    judge_runs: list[JudgeRun] = []
    sources = folders
    if panel is not None:
        from flows.stages.generate.panel import ask_panel, read_panel

        if out is None:
            raise RunError("--panel needs --out DIR, a folder for the replies of the judges")
        judge_runs = list(ask_panel(read_panel(panel), folders, out, workspace))
        sources = [folder for folder in folders if table_parts(folder, "verdicts")]
        sources += [Path(judge_run.folder) for judge_run in judge_runs]
    ratings = [] if labels is None else list(read_labels(labels))
    # A release may contain the same answers, with numbers instead of people's names.
    has_answers = labels is not None and labels.is_dir()
    ratings += (
        rating for rating in ratings_in(sources) if not (has_answers and is_human(rating.rater))
    )
    agreement = compared(ratings, precision, needs_people=panel is None)
    summary = CalibrateSummary(
        command="calibrate",
        folders=tuple(map(str, folders)),
        labels=None if labels is None else str(labels),
        found=agreement,
        asked=tuple(judge_runs),
    )
    lines = [
        f"{judge_run.judge}: {judge_run.outcome.kept} kept, "
        f"{sum(judge_run.outcome.dropped.values())} dropped, "
        f"{sum(judge_run.outcome.rejected.values())} without a verdict, in {judge_run.folder}"
        for judge_run in judge_runs
    ]
    finish(summary, [*lines, *calibration_lines(agreement)], as_json=json)
