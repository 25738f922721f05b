"""The command `benchloom evaluate BENCHMARK`: it scores predictions for a benchmark."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from flows.commands._help import BENCHMARKS, Commands, GroupPage, rare
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Functions,
    Gold,
    GoldSplit,
    Json,
    Workspace,
    finish,
)

if TYPE_CHECKING:
    from benchloom.evaluate.scoring import Summary

SCORE = "BENCHMARK"
"""Name of the command that scores; users type the name of a benchmark instead."""


class BenchmarkGroup(GroupPage):
    """The group `evaluate`, in which a word that is no command names a benchmark to score.

    The benchmarks are imported only to show the help page and to score.
    """

    lists = BENCHMARKS

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names, or `score` for a benchmark's name."""
        if args[0] != SCORE and (args[0] in self.commands or args[0].startswith("-")):
            return super().resolve_command(ctx, args)
        return SCORE, self.commands[SCORE], args if args[0] != SCORE else args[1:]


GROUP = Commands(
    """Score predictions, and run models.

    Examples:
        benchloom evaluate shortcuts --predictions predictions.jsonl
        benchloom evaluate report scores --out board
    """,
    cls=BenchmarkGroup,
)


@GROUP.command(SCORE, no_args_is_help=True)
def score(
    benchmark: Annotated[str, Argument(hidden=True)],
    predictions: Annotated[
        Path, Option(metavar="FILE", help='JSON lines with "output" and the "id" of a sample.')
    ],
    gold: Gold = None,
    rules: Annotated[
        Literal["right", "published"],
        Option(help="Scoring rules: right (by definition) or published (as the original scorer)."),
    ] = "right",
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for summary.json and samples.parquet.")
    ] = None,
    model: Annotated[
        str,
        rare(metavar="NAME", help="Name of the model that made the predictions, for the report."),
    ] = "",
    seed: Annotated[int, rare(min=0, help="Seed for the confidence intervals.")] = 0,
    partial: Annotated[
        bool, rare("--partial", help="Leave out samples whose id has no prediction.")
    ] = False,
    by_order: Annotated[
        bool, rare("--by-order", help="Match predictions with the gold by order instead of by id.")
    ] = False,
    split: GoldSplit = "",
    functions: Functions = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Score predictions for a benchmark.

    Examples:
        benchloom evaluate shortcuts --predictions predictions.jsonl
        benchloom evaluate appbench --predictions plans.jsonl --split test
    """
    from benchloom.evaluate.result_files import score_predictions
    from benchloom.release.versions import gold_path

    summary = score_predictions(
        benchmark,
        gold_path(gold, workspace),
        predictions,
        rules,
        out=out,
        model=model,
        seed=seed,
        functions=functions,
        partial=partial,
        by_order=by_order,
        split=split,
    )
    finish(summary, score_lines(summary, out), as_json=json)


def score_lines(summary: "Summary", out: Path | None) -> list[str]:
    """Return output lines with a scoring's figures, their intervals, and counts of outcomes."""
    split = f" of split {summary.split}" if summary.split else ""
    lines = [f"{summary.benchmark}: {summary.samples} samples{split}, rules {summary.rules}"]
    lines += unused_lines(summary)
    for name, figure in summary.figures.items():
        if figure.value is None:
            lines.append(f"  {name}: not measured")
        else:
            bounds = "" if figure.low is None else f" [{figure.low:.4f}, {figure.high:.4f}]"
            lines.append(f"  {name}: {figure.value:.4f}{bounds} of {figure.denominator:g}")
    lines += [f"  {count} {word}" for word, count in summary.outcomes.items()]
    if out is not None:
        lines.append(f"details are in {out}/summary.json and {out}/samples.parquet")
    return lines


def unused_lines(summary: "Summary") -> list[str]:
    """Return output lines that warn about the predictions and gold records of a scoring.

    One line says that predictions were matched by order instead of by id. Further lines count
    damaged gold records, damaged predictions, predictions for unknown samples, and samples without
    a prediction.
    """
    unused = summary.unused
    lines = []
    if summary.match == "order":
        lines.append("  predictions matched by order, not by id")
    for count, label, examples in (
        (unused.gold_records, "damaged gold records left out", unused.gold),
        (unused.damaged_lines, "damaged prediction lines", unused.lines),
    ):
        if count:
            first = examples[0]
            lines.append(f"  {count} {label}: {first.record} ({first.reason}: {first.message})")
    if unused.unknown_ids:
        lines.append(
            f"  {unused.unknown_ids} predictions have an id that no sample has, such as "
            f"{unused.ids[0]}"
        )
    if unused.without_prediction:
        lines.append(f"  {unused.without_prediction} samples without a prediction")
    return lines
