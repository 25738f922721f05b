"""The flow `generate`, which writes texts or verdicts about the rows of a finished stage."""

import time
from pathlib import Path

from benchloom.core.progress import say
from flows.console.bars import format_duration
from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import MAX_REASONS, describe_reasons, show_table
from flows.engine.run_log import log_line, run_name
from flows.run.runner import whole_path
from flows.stages.generate import run as generate_stage
from flows.stages.generate.outcome import GenerateProgress, Outcome, extra_lines, require_usable
from flows.stages.generate.plan import LOG, Endpoint, GeneratePlan, folders_for_step
from flows.stages.generate.writers import choose_writer, run_plan
from prompts.endpoint.limits import DEFAULT_MODEL, DEFAULTS, Limits
from prompts.exchange import Effort
from prompts.inputs.personas import read_personas
from prompts.ledger.prices import PRICES
from prompts.results.attempts import Attempts
from prompts.steps import JUDGED_STEPS, STEPS, Sampling


@task(cache_policy=NO_CACHE, task_run_name="write {plan.step}")
def make_rows(plan: GeneratePlan, out: Path, endpoint: Endpoint, workers: int) -> Outcome:
    """Write the texts or verdicts of a plan with its model, or with templates if it has none."""
    progress = GenerateProgress(f"generate {plan.step}", plan.rows())
    with progress.displayed():
        return run_plan(plan, out, endpoint, progress, workers)


@flow(name="generate", flow_run_name=run_name("generate {step} for {source}"))
async def generate(
    step: str,
    source: Path,
    workspace: Path,
    *,
    beside: tuple[Path, ...] = (),
    writer: str = "auto",
    model: str = DEFAULT_MODEL,
    model_file: Path | None = None,
    base_url: str | None = None,
    max_usd: float | None = None,
    free: bool = False,
    prices: Path | None = None,
    concurrency: int = DEFAULTS.concurrency,
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
    reply_timeout: float = DEFAULTS.timeout,
    batch: bool = False,
    every_text: bool = False,
    reply_tokens: int | None = None,
    reasoning_effort: Effort | None = None,
    request_fields: str | None = None,
    candidates: int = 1,
    repair: bool = False,
    personas: Path | None = None,
    workers: int = 1,
) -> Path:
    """Write texts or verdicts with one LLM step; return the folder of the finished stage.

    `beside` are further folders whose tables the step reads, for example texts to judge. `writer`
    is a value for `choose_writer`; a log line reports the chosen writer and why it was chosen. With
    `batch`, requests go through the endpoint's Batch API. Steps that read texts skip those that
    rules dropped, unless `every_text` is set. Up to `candidates` texts are written about a row
    until one is accepted. With `repair`, a text that lacks values is written once more. `personas`
    is a file of simulated users for the step `task_dialogue`. The texts of two models are never in
    one folder, because the name of a stage's folder depends on the model.

    Raises:
        RunError: the step or writer is unknown.
        BudgetError: the cost limit was reached. A run with a higher limit continues the work.
        GateError: none of the model's replies was usable.
    """
    chosen = choose_writer(writer, model, model_file=model_file, base_url=base_url, max_usd=max_usd)
    log_line(f"generate {step}: {chosen.line()}")
    if writer == "auto":
        say(f"generate {step}: {chosen.line()}")
    limits = Limits(
        concurrency=concurrency,
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        timeout=reply_timeout,
    )
    endpoint = Endpoint(
        log=workspace / LOG,
        base_url=base_url,
        weights=chosen.weights,
        limits=limits,
        prices=prices or PRICES,
        max_usd=max_usd,
        free=free,
        batch=batch and chosen.writer == "llm",
    )
    with folders_for_step(step, (source, *beside)) as folder:
        # Personas are part of the key only in steps with simulated users.
        speakers = read_personas(personas) if personas and STEPS.find(step).uses_personas else ()
        sampling = Sampling(every_text=every_text, personas=speakers)
        plan = GeneratePlan(
            step=step,
            source=folder,
            model=chosen.model,
            sampling=sampling,
            reply_tokens=reply_tokens,
            reasoning_effort=reasoning_effort,
            request_fields=request_fields,
            attempts=Attempts(candidates, repair),
        )
        start = time.monotonic()
        stage = generate_stage.prepare(plan)
        out = whole_path(workspace, f"generated/{step}", stage)
        is_unchanged = stage.complete(out) is not None
        # In a separate thread, because a model request runs an event loop, and so does this flow.
        outcome = make_rows.submit(plan, out, endpoint, workers).result()
    took = "unchanged" if is_unchanged else format_duration(time.monotonic() - start)
    say(f"{_outcome_line(step, outcome, MAX_REASONS)}; {took}")
    for line in extra_lines(outcome.spending):
        say(line)
    await _publish(step, outcome, _outcome_line(step, outcome), out)
    if chosen.model is not None:
        require_usable(step, outcome)
    return out


def _outcome_line(step: str, outcome: Outcome, most: int | None = None) -> str:
    passed_over, unusable = outcome.passed_over, outcome.unusable
    dropped = sum(outcome.dropped.values())
    line = f"generate {step}: {outcome.objects} read, {outcome.kept} kept"
    if step in JUDGED_STEPS and not outcome.judged:
        line += " (by rules, not judged)"
    if dropped:
        line += f", {dropped} dropped ({describe_reasons(outcome.dropped, most)})"
    if unusable:
        reasons = describe_reasons(unusable, most)
        line += f", {sum(unusable.values())} replies unusable ({reasons})"
    if passed_over:
        line += f", {sum(passed_over.values())} passed over ({describe_reasons(passed_over, most)})"
    return line


async def _publish(step: str, outcome: Outcome, line: str, out: Path) -> None:
    rows: list[dict[str, object]] = [{"what": "objects read", "count": outcome.objects}]
    rows.append({"what": "kept", "count": outcome.kept})
    rows += [{"what": f"dropped: {reason}", "count": n} for reason, n in outcome.dropped.items()]
    rows += [{"what": f"rejected: {reason}", "count": n} for reason, n in outcome.rejected.items()]
    if outcome.usd_per_kept is not None:
        rows.append({"what": "US dollars per kept row", "count": outcome.usd_per_kept})
    extras = {} if outcome.spending is None else outcome.spending.extras
    for purpose, part in extras.items():
        rows.append({"what": f"attempts for: {purpose}", "count": part.attempts})
        rows.append({"what": f"US dollars for: {purpose}", "count": part.usd})
    await show_table(f"generate-{step}", rows, f"{line}. Folder: `{out}`")
    log_line(f"{line}; written to {out}")
