"""The command `benchloom evaluate run`: it runs a model on a benchmark or tasks, and scores it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Option

from benchloom.core.errors import RunError, StoppedError
from flows.commands._help import Commands, rare
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    BaseUrl,
    Concurrency,
    GoldSplit,
    Json,
    Prices,
    Workspace,
    finish,
)
from prompts.endpoint.limits import DEFAULTS

if TYPE_CHECKING:
    from flows.stages.model_runs import RunSummary

GROUP = Commands()


def _benchmarks() -> tuple[str, ...]:
    from benchloom.evaluate.protocols import PROTOCOLS

    return (*PROTOCOLS.names(), "worlds")


@GROUP.command(
    "run",
    no_args_is_help=True,
    lists={"Benchmarks": _benchmarks},
    codes={3: "the budget is spent; paid replies are kept"},
)
def run(
    task: Annotated[
        str, Argument(metavar="TASK", help="Name of an evaluation, from the list below.")
    ],
    model: Annotated[
        str, Option(help="Model to evaluate; PROVIDER/NAME for providers other than openai.")
    ],
    release: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Folder or version of a release, or published files; if absent, the newest.",
        ),
    ] = None,
    protocol: Annotated[
        str, rare(help="Prompt: paper or tools (tool calling); AppBench: hierarchical or flat.")
    ] = "paper",
    split: GoldSplit = "",
    limit: Annotated[
        int | None, Option(min=1, help="Number of random samples; all if absent.")
    ] = None,
    shots: Annotated[int, rare(min=0, help="Number of worked examples in the prompt.")] = 0,
    distractors: Annotated[
        int | None,
        rare(
            min=0,
            max=100,
            help="Distractors (tools that a sample does not need); if absent, as in the paper.",
        ),
    ] = None,
    hardness: Annotated[
        Literal["random", "same-app"],
        rare(help="Where distractors come from: all tools, the same app, the most similar."),
    ] = "random",
    seed: Annotated[int, rare(help="Seed for the choice of samples, examples and tools.")] = 0,
    epochs: Annotated[
        int, rare(min=1, max=100, help="Number of runs of each task, for pass^k (only worlds).")
    ] = 1,
    rules: Annotated[Literal["right", "published"], rare(help="Rules for scoring.")] = "right",
    base_url: BaseUrl = None,
    budget: Annotated[
        float | None,
        Option(
            "--max-usd",
            "--budget",
            min=0,
            help="Maximum cost in US dollars of all attempts together.",
        ),
    ] = None,
    prices: Prices = None,
    concurrency: Concurrency = DEFAULTS.concurrency,
    timeout: Annotated[
        float, rare(min=1, help="Maximum seconds for one reply.")
    ] = DEFAULTS.timeout,
    max_tokens: Annotated[int, rare(min=1, help="Maximum tokens of one reply.")] = 1024,
    temperature: Annotated[float, rare(min=0, max=2, help="Temperature of the model.")] = 0.0,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for log, predictions and scores.")
    ] = None,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Run a model on every sample of a benchmark, and score it.

    After an interruption, the same command continues the run.

    Examples:
        benchloom evaluate run shortcuts --model gpt-4o-mini --max-usd 1
        benchloom evaluate run worlds --model NAME --base-url http://localhost:8000/v1
    """
    from benchloom.evaluate.benchmarks import BENCHMARKS
    from benchloom.evaluate.model_requests import Choice
    from benchloom.evaluate.world_runs.selection import WORLDS, WorldChoice
    from benchloom.release.versions import gold_path
    from flows.stages.model_runs import ModelRun, run_model
    from prompts.ledger.prices import PRICES

    release_path = gold_path(release, workspace)
    choice: Choice | WorldChoice
    if task == WORLDS:
        if (protocol, shots, hardness, rules) != ("paper", 0, "random", "right"):
            raise RunError("worlds accept no --protocol, --shots, --hardness or --rules; omit them")
        benchmark = WORLDS
        choice = WorldChoice(
            gold=str(release_path),
            split=split,
            limit=limit,
            seed=seed,
            distractors=distractors,
            epochs=epochs,
        )
    else:
        if epochs > 1:
            raise RunError(
                "--epochs is only for worlds; omit it, because a benchmark runs each sample once"
            )
        benchmark = BENCHMARKS.spelt(task)
        choice = Choice(
            benchmark=benchmark,
            gold=str(release_path),
            split=split,
            protocol=protocol,
            limit=limit,
            seed=seed,
            distractors=distractors,
            hardness=hardness,
            shots=shots,
            rules=rules,
        )
    name = "-".join((benchmark, protocol, model.replace("/", "-")))
    done = run_model(
        ModelRun(
            choice=choice,
            model=model,
            out=out or workspace / "evaluations" / name,
            base_url=base_url,
            prices=prices or PRICES,
            budget=budget,
            concurrency=concurrency,
            timeout=timeout,
            max_tokens=max_tokens,
            temperature=temperature,
            display=not json and sys.stdout.isatty(),
        )
    )
    finish(done, _lines(done), as_json=json)
    if done.stopped is not None:
        raise StoppedError(done.stopped)


def _lines(done: "RunSummary") -> list[str]:
    from benchloom.evaluate.sample_table import SAMPLES
    from flows.commands.evaluate import score_lines

    cost = "" if done.usd is None else f", ${done.usd:.6f}"
    lines = [f"{done.answered} of {done.samples} samples answered by {done.model}{cost}"]
    if done.usd_per_right is not None:
        lines.append(f"  ${done.usd_per_right:.6f} per sample that is completely right")
    if done.summary is not None:
        table = Path(done.out, SAMPLES).is_file()
        lines += score_lines(done.summary, Path(done.out) if table else None)
    return [*lines, f"inspect view --log-dir {done.out}"]
