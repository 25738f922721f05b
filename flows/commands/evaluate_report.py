"""The command `benchloom evaluate report`: it shows, compares or repeats scorings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import extra
from flows.commands._help import Commands
from flows.commands.options import Json, finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchloom.evaluate.audit.report import Audit
    from benchloom.evaluate.board.comparison import Comparison, Difference
    from benchloom.evaluate.board.content import Scored
    from benchloom.evaluate.rescoring import Rescored
    from benchloom.evaluate.sample_table import StoredSample

GROUP = Commands()


class RescoredFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The result of scoring stored predictions again.

    `figures` contains each figure that changed, as a pair of the old and the new value. `missing`
    counts stored samples that are no longer in the gold.
    """

    name: str
    benchmark: str
    folder: str
    figures: dict[str, tuple[float | None, float | None]]
    missing: int


class ReportSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `evaluate report --json` prints."""

    command: str
    board: str
    scored: int
    audits: int
    comparisons: "tuple[Comparison, ...]" = ()
    rescored: tuple[RescoredFigures, ...] = ()


@GROUP.command("report", no_args_is_help=True)
def report(
    folders: Annotated[
        list[Path],
        Argument(
            metavar="DIR...", help="Folders written by `evaluate`, or folders that contain them."
        ),
    ],
    out: Annotated[Path, Option(metavar="DIR", help="Folder for board.html.")] = Path(),
    rescore: Annotated[
        bool,
        Option(
            "--rescore",
            help="Score stored predictions again and write the results to OUT/rescored.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Write one page with scores beside published scores.

    If several scorings belong to one benchmark and the same rules, each is compared with the first
    of them, sample by sample.

    Examples:
        benchloom evaluate report scores --out board
        benchloom evaluate report scores other-scores --rescore
    """
    from benchloom.evaluate.board.content import ResultSet, read_results
    from benchloom.evaluate.board.page import write_board
    from benchloom.evaluate.board.pairs import comparisons
    from flows.commands.evaluate import unused_lines

    changed: tuple[RescoredFigures, ...] = ()
    if rescore:
        done, audits = _rescore(folders, out)
        stored_results = ResultSet(tuple(rescored_run.after for rescored_run in done), audits)
        changed = tuple(
            RescoredFigures(
                name=rescored_run.before.name,
                benchmark=rescored_run.before.summary.benchmark,
                folder=str(rescored_run.after.folder),
                figures=rescored_run.changed(),
                missing=rescored_run.missing,
            )
            for rescored_run in done
        )
    else:
        stored_results = read_results(folders)
    compared = comparisons(stored_results.scored)
    page = write_board(stored_results, out, compared)
    summary = ReportSummary(
        command="evaluate report",
        board=str(page),
        scored=len(stored_results.scored),
        audits=len(stored_results.audits),
        comparisons=compared,
        rescored=changed,
    )
    lines = [f"{summary.scored} scorings and {summary.audits} audits in {page}"]
    for scored in stored_results.scored:
        left_out = unused_lines(scored.summary)
        lines += [f"{scored.name} ({scored.summary.benchmark}):", *left_out] if left_out else []
    for change in changed:
        lines += _rescoring_lines(change)
    for comparison in compared:
        lines += _comparison_lines(comparison)
    finish(summary, lines, as_json=json)


def _rescore(folders: list[Path], out: Path) -> "tuple[list[Rescored], tuple[Audit, ...]]":
    """Score the stored predictions in the folders again.

    Return the new scorings, and the audits and inspect_ai logs of the folders.
    """
    from benchloom.evaluate.board.content import read_results
    from benchloom.evaluate.rescoring import FOLDER, rescore

    logs = [folder for folder in folders if any(folder.rglob("*.eval"))]
    stored = [folder for folder in folders if folder not in logs or any(folder.rglob("*.json"))]
    stored_results = read_results(stored)
    runs: list[tuple[Scored, Sequence[StoredSample] | None]] = [
        (scoring, None) for scoring in stored_results.scored
    ]
    if logs:
        with extra("evaluate", "logs of inspect_ai"):
            from benchloom.evaluate.tasks.logs import logged_runs
        runs += [(run.scored, run.samples) for folder in logs for run in logged_runs(folder)]
    done = [
        rescore(scoring, out / FOLDER / f"{number}-{scoring.folder.name}", samples)
        for number, (scoring, samples) in enumerate(runs, 1)
    ]
    return done, stored_results.audits


def _rescoring_lines(changed: RescoredFigures) -> list[str]:
    changes = ", ".join(
        f"{name} {_value(old)} -> {_value(new)}" for name, (old, new) in changed.figures.items()
    )
    missing = f"; {changed.missing} stored samples are not in the gold" if changed.missing else ""
    return [
        f"rescored {changed.name} ({changed.benchmark}): {changes or 'no figure differs'}{missing}"
    ]


def _value(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.4f}"


def _comparison_lines(comparison: "Comparison") -> list[str]:
    beside = "".join(
        f", {count} only in {name}"
        for count, name in (
            (comparison.only_first, comparison.first),
            (comparison.only_second, comparison.second),
        )
        if count
    )
    pair = f"{comparison.second} minus {comparison.first}"
    rules = f"{comparison.benchmark}, {comparison.rules}"
    first = f"{rules}: {pair} over {comparison.samples} samples{beside}"
    return [first, *(f"  {_difference_line(difference)}" for difference in comparison.differences)]


_TESTS = {"mcnemar": "McNemar", "exchange": "exchange test"}


def _difference_line(difference: "Difference") -> str:
    interval = f"[{difference.low:+.4f}, {difference.high:+.4f}]"
    line = f"{difference.metric}: {difference.difference:+.4f} {interval}"
    if difference.p_value is not None:
        line += f", p {difference.p_value:.4f} ({_TESTS[difference.test]})"
    if difference.better is not None and difference.worse is not None:
        line += f", {difference.better} samples better, {difference.worse} worse"
    return line
