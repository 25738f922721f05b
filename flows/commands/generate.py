"""The command `benchloom generate STEP`: it writes texts or verdicts with one LLM step."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from typer import Argument, Option

from benchloom.core.errors import RunError, StoppedError
from flows.commands._help import Commands, rare
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    BaseUrl,
    Concurrency,
    Json,
    Prices,
    Workers,
    Workspace,
    finish,
)
from prompts.endpoint.limits import DEFAULT_MODEL, DEFAULTS, POLL_SECONDS, Limits
from prompts.exchange import MAX_CANDIDATES, Effort

if TYPE_CHECKING:
    from flows.stages.generate.outcome import Outcome
    from prompts.results.estimate import Estimate

GROUP = Commands()
MAX_PREVIEWED = 1_000
"""The maximum number of rows of a preview."""


class GenerateSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The summary that `generate --json` prints."""

    command: str
    step: str
    writer: str
    out: str | None = None
    seconds: float
    stopped: str | None = None
    outcome: "Outcome | None" = None
    estimate: "Estimate | None" = None


@GROUP.command(
    "generate",
    lists={"Steps": "prompts.steps:STEPS.names"},
    codes={1: "nothing was kept", 3: "the budget is spent; paid replies are kept"},
)
def generate(
    step: Annotated[
        str, Argument(metavar="STEP", help="Name of a generation step, from the list below.")
    ],
    source: Annotated[Path, Option("--in", metavar="DIR", help="Folder with input tables.")],
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR", help="Folder for the result; not needed with --preview or --dry-run."
        ),
    ] = None,
    preview: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            max=MAX_PREVIEWED,
            help="Show prompts, replies, verdicts and cost of N rows, and a forecast for all.",
        ),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        rare(metavar="DIR", help="Another input folder, for example the texts to judge."),
    ] = None,
    model: Annotated[
        str, Option(help="Model that writes or judges; local: a small model on this machine.")
    ] = DEFAULT_MODEL,
    model_file: Annotated[
        Path | None, rare(metavar="FILE", help="GGUF file of a local model.")
    ] = None,
    base_url: BaseUrl = None,
    max_usd: Annotated[float | None, Option(min=0, help="Maximum cost in US dollars.")] = None,
    free: Annotated[
        bool, rare("--free", help="The endpoint costs nothing: do not count or limit cost.")
    ] = False,
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="Estimate requests, tokens and cost without sending a request."),
    ] = False,
    batch: Annotated[bool, rare("--batch", help="Use the Batch API: slower, cheaper.")] = False,
    writer: Annotated[
        Literal["auto", "llm", "local", "template"],
        rare(help="Writer: a model, a local model, templates, or the best available."),
    ] = "llm",
    concurrency: Concurrency = DEFAULTS.concurrency,
    rpm: Annotated[float | None, rare(min=0.01, help="Maximum requests per minute.")] = None,
    tpm: Annotated[float | None, rare(min=1, help="Maximum tokens per minute.")] = None,
    timeout: Annotated[
        float, rare(min=0.1, help="Maximum seconds for one reply.")
    ] = DEFAULTS.timeout,
    prices: Prices = None,
    log: Annotated[
        Path | None,
        rare(metavar="FILE", help="Completion log to use; costs are recorded in the workspace."),
    ] = None,
    count: Annotated[
        int, rare(min=1, help="Number of samples for the steps nested and dialogue.")
    ] = 100,
    seed: Annotated[
        int | None, rare(help="Seed for random choices (0); also chooses the rows of a preview.")
    ] = None,
    temperature: Annotated[
        float | None, rare(min=0, max=2, help="Temperature of the model; not sent if absent.")
    ] = None,
    vectors: Annotated[
        bool, rare("--vectors", help="Search tools by sentence vectors (extra vectors).")
    ] = False,
    reply_tokens: Annotated[
        int | None,
        rare(min=16, max=1_000_000, help="Maximum tokens of a reply, reasoning included."),
    ] = None,
    reasoning_effort: Annotated[
        Effort | None, rare(help="Effort of a reasoning model; not sent if absent.")
    ] = None,
    candidates: Annotated[
        int,
        rare(
            min=1,
            max=MAX_CANDIDATES,
            help="Write up to N texts about a row until rules and the judge accept one.",
        ),
    ] = 1,
    repair: Annotated[
        bool,
        rare(
            "--repair",
            help="If a text lacks values, list them for the writer and let it write again once.",
        ),
    ] = False,
    personas: Annotated[
        Path | None,
        rare(
            metavar="FILE",
            help='File of personas of the simulated user: {"persona": "...", "source": "..."}.',
        ),
    ] = None,
    every_text: Annotated[
        bool, rare("--every-text", help="Also judge and compare the texts that rules dropped.")
    ] = False,
    poll: Annotated[
        float, rare(min=0.01, help="Seconds between two checks of a batch.")
    ] = POLL_SECONDS,
    workers: Workers = 1,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Write texts about rows of earlier stages, or judge texts.

    Every reply is stored in a log and never paid for twice. --preview writes only the log; a later
    run with the same options uses the replies of the preview.

    Examples:
        benchloom generate query --in parsed --preview 2 --dry-run
        benchloom generate query --in parsed --out texts --max-usd 1
    """
    import os

    from flows.commands._preview import show_preview
    from flows.run.finished import stage_with
    from flows.stages.generate.model import estimate
    from flows.stages.generate.outcome import GenerateProgress, require_texts
    from flows.stages.generate.plan import LOG, Endpoint, GeneratePlan, folders_for_step
    from flows.stages.generate.preview import Choice
    from flows.stages.generate.writers import choose_writer, run_plan
    from prompts.inputs.personas import read_personas
    from prompts.ledger.prices import PRICES
    from prompts.results.attempts import Attempts
    from prompts.steps import Sampling

    start = time.perf_counter()
    chosen = choose_writer(writer, model, model_file=model_file, base_url=base_url, max_usd=max_usd)
    if writer == "auto":
        sys.stderr.write(f"generate {step}: {chosen.line()}\n")
    plan = GeneratePlan(
        step=step,
        source=source,
        model=chosen.model,
        temperature=temperature,
        reply_tokens=reply_tokens,
        reasoning_effort=reasoning_effort,
        attempts=Attempts(candidates, repair),
        sampling=Sampling(
            count=count,
            seed=seed or 0,
            vectors=vectors,
            every_text=every_text,
            personas=() if personas is None else read_personas(personas),
        ),
    )
    endpoint = Endpoint(
        log=log or Path(os.environ.get("BENCHLOOM_LOG") or workspace / LOG),
        ledger=workspace / LOG,
        base_url=base_url,
        weights=chosen.weights,
        limits=Limits(
            concurrency=concurrency,
            requests_per_minute=rpm,
            tokens_per_minute=tpm,
            timeout=timeout,
        ),
        prices=prices or PRICES,
        max_usd=max_usd,
        free=free,
        batch=batch,
        poll_seconds=poll,
    )
    outcome, estimated = None, None
    stopped: StoppedError | None = None
    # The texts to judge are in another folder than the rows that they describe.
    reads = () if beside else plan.definition().reads
    with folders_for_step(step, [stage_with(source, reads), *(beside or ())]) as folder:
        plan = msgspec.structs.replace(plan, source=folder)
        if preview is not None:
            choice = Choice(count=preview, seed=seed)
            show_preview(plan, endpoint, choice, chosen.writer, ask=not dry_run, as_json=json)
            return
        if dry_run and chosen.model is not None:
            estimated = estimate(plan, endpoint)
        elif out is None:
            raise RunError("--out DIR is missing: pass a folder for the result, or use --preview 3")
        else:
            progress = GenerateProgress(f"generate {step}", plan.rows())
            with progress.displayed():
                try:
                    outcome = run_plan(plan, out, endpoint, progress, workers)
                except StoppedError as error:
                    stopped = error
    summary = GenerateSummary(
        command="generate",
        step=step,
        writer=chosen.writer,
        out=None if out is None else str(out),
        seconds=round(time.perf_counter() - start, 3),
        stopped=None if stopped is None else str(stopped),
        outcome=outcome,
        estimate=estimated,
    )
    if json or stopped is None:
        finish(summary, _lines(summary), as_json=json)
    if stopped is not None:
        raise stopped
    if outcome is not None:
        require_texts(outcome)


def _lines(summary: GenerateSummary) -> list[str]:
    from flows.commands._preview import forecast_lines
    from flows.stages.generate.outcome import extra_lines, outcome_lines

    if summary.estimate is not None:
        return [
            *forecast_lines(summary.estimate),
            "  --preview 3 instead of --dry-run shows prompts, replies and their cost for 3 rows",
        ]
    outcome = summary.outcome
    if outcome is None:
        return []
    how = f"{summary.writer}, {summary.seconds:.1f} s"
    lines = outcome_lines(summary.step, outcome, "rows", summary.out or "", how)
    spending = outcome.spending
    if spending is not None:
        lines.append(
            f"  spent ${spending.settled_usd:.6f} in {spending.attempts} attempts; "
            f"${spending.open_usd:.6f} reserved for {spending.open_attempts} attempts that a kill "
            f"interrupted"
        )
        lines += extra_lines(spending)
    if outcome.usd_per_kept is not None:
        lines.append(f"  ${outcome.usd_per_kept:.6f} per kept row")
    return lines
