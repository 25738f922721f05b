"""This module prints the preview of `benchloom generate --preview`, as text or as JSON."""

import shutil
import textwrap
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import GateError, StoppedError
from benchloom.core.progress import under_way
from benchloom.core.records import Verdict
from flows.commands.options import finish
from flows.stages.generate.plan import Endpoint, GeneratePlan
from flows.stages.generate.preview import (
    Choice,
    Exchange,
    Preview,
    PreviewedRow,
    preview_model,
    preview_templates,
)

if TYPE_CHECKING:
    from prompts.results.estimate import Estimate

_Systems = dict[str, tuple[int, list[str]]]
"""System messages that were printed: their first line -> number of the row, and all their lines."""
_INDENT = "  "
_WIDTHS = (40, 120)
"""The minimum and maximum width of lines in columns; it is 100 if output is not a terminal."""


class PreviewSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of an LLM step, as `generate --preview N --json` prints it."""

    command: str
    step: str
    writer: str
    model: str | None
    seconds: float
    preview: Preview


def show_preview(
    plan: GeneratePlan,
    endpoint: Endpoint,
    choice: Choice,
    writer: str,
    *,
    ask: bool,
    as_json: bool,
) -> None:
    """Write the texts of a few rows with the plan's model or templates, and print the result.

    Raises:
        GateError: the model replied to no request. The prompts have been printed.
        StoppedError: the maximum cost was reached. The finished rows have been printed.
    """
    start = time.perf_counter()
    with under_way(f"preview {plan.step}"):
        if plan.model is None:
            preview = preview_templates(plan, choice)
        else:
            preview = preview_model(plan, endpoint, choice, ask=ask)
    summary = PreviewSummary(
        command="generate",
        step=plan.step,
        writer=writer,
        model=plan.model,
        seconds=round(time.perf_counter() - start, 3),
        preview=preview,
    )
    lines = [] if as_json else list(_lines(preview, plan, ask=ask, batch=endpoint.batch))
    finish(summary, lines, as_json=as_json)
    if preview.stopped is not None:
        raise StoppedError(preview.stopped)
    if preview.asked and preview.rows and not _is_answered(preview):
        reasons = Counter(row.reason or "not_sent" for row in preview.rows)
        counts = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        raise GateError(
            f"the model replied to no row of the preview ({counts}): {preview.rows[0].message}"
        )


def _is_answered(preview: Preview) -> bool:
    return any(turn.reply is not None for row in preview.rows for turn in row.exchanges)


def forecast_lines(forecast: "Estimate") -> list[str]:
    """Return output lines that estimate the requests, tokens and cost of a run."""
    by = "replies in the log" if forecast.logged else "usual length of a reply"
    lines = [
        f"{forecast.requests} requests to send, {forecast.logged} replies already in the log",
        f"  {forecast.tokens_in} prompt tokens ({forecast.error})",
        f"  {forecast.tokens_out} reply tokens (estimated from the {by})",
    ]
    if forecast.usd is None:
        lines.append(
            "  the cost is unknown, because the price table lacks this model; pass --prices FILE"
        )
    else:
        lines.append(
            f"  cost about ${forecast.usd:.4f}, and never more than ${forecast.usd_most:.4f}"
        )
    return lines


def visible(text: str) -> str:
    """Return a text with backslash escapes in place of unprintable characters."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _lines(preview: Preview, plan: GeneratePlan, *, ask: bool, batch: bool) -> Iterator[str]:
    systems: _Systems = {}
    for number, row in enumerate(preview.rows, start=1):
        yield f"=== row {number} of {len(preview.rows)}: {visible(row.target_id)}"
        if row.source_uri != row.target_id:
            yield from _wrap(f"from {row.source_uri}")
        for exchange in row.exchanges:
            yield from _exchange_lines(exchange, number, systems)
        if row.exchanges and row.exchanges[-1].reply is None and row.reason is None:
            yield "--- not sent"
        yield from _result_lines(row, templates=plan.model is None)
        yield ""
    if not preview.rows:
        yield "no row of the input needs a text, so no request is sent"
    for reason, count in preview.passed_over.items():
        yield f"skipped {count}: {reason}"
    if preview.forecast is None:
        yield f"{plan.rows()} rows in total; templates cost nothing"
        return
    if preview.spent_usd is not None:
        yield f"this preview cost ${preview.spent_usd:.6f}"
    elif ask and not preview.asked:
        yield "no request was sent: set OPENAI_API_KEY or pass --base-url to see replies"
    if preview.asked and batch:
        yield (
            "the preview sends its requests one by one at the full price; the run uses the Batch "
            "API"
        )
    first, *rest = forecast_lines(preview.forecast)
    yield f"all rows: {first}"
    yield from rest
    if preview.asked and _is_answered(preview):
        yield "  a run with the same options uses the replies above and does not pay for them again"


def _exchange_lines(exchange: Exchange, number: int, systems: _Systems) -> Iterator[str]:
    for message in exchange.messages:
        if message.role == "system":
            yield from _system_lines(message.content, number, systems)
        else:
            yield f"--- {message.role}"
            yield from _wrap(message.content)
    if exchange.reply is None:
        return
    origin = "from the completion log" if exchange.from_log else "new"
    served = visible(exchange.served_model or "unnamed model")
    yield f"--- reply ({exchange.status}, {served}, {origin})"
    yield from _wrap(exchange.reply)


def _system_lines(content: str, number: int, systems: _Systems) -> Iterator[str]:
    """Yield the lines of a system message for row `number`.

    If a message with the same first line was printed for an earlier row, yield only the lines that
    differ from that message.
    """
    lines = content.split("\n")
    first, first_lines = systems.setdefault(lines[0], (number, lines))
    if first_lines is lines:
        yield "--- system"
        yield from _wrap(content)
        return
    new = [line for line in lines if line not in first_lines]
    yield f"--- system (as in row {first}{', except for these lines' if new else ''})"
    yield from _wrap("\n".join(new)) if new else ()


def _result_lines(row: PreviewedRow, *, templates: bool) -> Iterator[str]:
    """Yield lines with the text that was written for a row, the text's verdicts and its cost."""
    if row.text is not None:
        yield "--- text"
        yield from _wrap(row.text)
    if row.category is not None:
        yield f"--- category: {visible(row.category)}"
    if row.kept is not None:
        yield "--- kept" if row.kept else "--- dropped"
    elif row.reason is not None:
        yield f"--- rejected: {row.reason}"
        yield from _wrap(row.message or "")
    yield from _verdict_lines(row.verdicts)
    if not templates and row.tokens_in:
        cost = "cost unknown" if row.usd is None else f"${row.usd:.6f}"
        paid = ", paid before" if all(turn.from_log for turn in row.exchanges) else ""
        yield f"--- {row.tokens_in} prompt tokens, {row.tokens_out} reply tokens, {cost}{paid}"


def _verdict_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield a line for each verdict that drops a text, then a line that names the passed checks."""
    passed = [verdict.check for verdict in verdicts if verdict.kept]
    for verdict in verdicts:
        if verdict.kept and len(verdicts) > 1:
            continue
        decision = "kept by" if verdict.kept else "refused by"
        score = "" if verdict.score is None else f", score {verdict.score:g}"
        evidence = f": {verdict.evidence}" if verdict.evidence else ""
        yield from _wrap(f"{decision} {verdict.check} ({verdict.reason}{score}){evidence}")
    if passed and len(verdicts) > 1:
        yield from _wrap(f"kept by {', '.join(passed)}")


def _wrap(text: str) -> Iterator[str]:
    """Yield the lines of a text, indented, wrapped, and with unprintable characters escaped."""
    width = min(max(shutil.get_terminal_size((100, 24)).columns, _WIDTHS[0]), _WIDTHS[1])
    for line in text.expandtabs(4).split("\n"):
        yield from textwrap.wrap(
            visible(line),
            width,
            initial_indent=_INDENT,
            subsequent_indent=_INDENT,
            break_on_hyphens=False,
        ) or [""]
