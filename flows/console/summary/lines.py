"""Format the summary of a rebuild as lines; this module reads no files."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from flows.console.summary.facts import Closing, LeftOut, Spent
from flows.console.summary.remedies import EVALUATION, TEXTS, remedy

_HEAD = "kept and left out, each thing under its first reason:"
_REASONS = 3
"""Reasons that are named of each kind."""
MOST_LINES = 34
"""With the four lines about the release itself it stays under forty."""


def closing_lines(closing: Closing, release: Path) -> list[str]:
    """Return lines on omissions, reasons, cost and documents to read; at most `MOST_LINES`."""
    ends = [*_costs(closing.spent), *_looks(closing.pages, release)]
    lines = [line for omission in closing.left_out for line in _kept_and_left_out(omission)]
    lines += _judgement(closing)
    room = MOST_LINES - len(ends) - 1
    if len(lines) > room:
        more = len(lines) - room + 1
        lines = [*lines[: room - 1], f"  and {more} more lines: FIGURES.md of the release"]
    return [*([_HEAD] if lines else []), *lines, *ends]


def _judgement(closing: Closing) -> Iterator[str]:
    """Yield a note if no judge gave a verdict on the texts."""
    if closing.judged is not False and not closing.unjudged:
        return
    if closing.judge_asked:
        if closing.judged is False:
            yield "  the judge gave no usable verdict: [generate] model names another one"
        return
    if closing.unjudged:
        yield f"  {closing.unjudged} kept texts of a model were read by no judge, only by rules"
    yield '  no judge read the texts: [generate] steps with "faithfulness" asks one'


def _kept_and_left_out(omission: LeftOut) -> Iterator[str]:
    """Yield a line on an omission, then one line per reason that the user can fix."""
    most = sorted(omission.reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    if not most:
        return
    why = ", ".join(f"{reason} {count}" for reason, count in most[:_REASONS])
    if len(most) > _REASONS:
        why += f", other reasons {sum(count for _, count in most[_REASONS:])}"
    left_out = omission.received - omission.kept
    counts = f"kept {omission.kept} of {omission.received}, left out {left_out}"
    yield f"  {_name(omission)}: {counts} ({why})"
    for reason, _ in most[:_REASONS]:
        if advice := remedy(omission.kind, reason):
            yield f"    {reason}: {advice}"


def _name(omission: LeftOut) -> str:
    if omission.kind == EVALUATION:
        return "shortcuts for evaluation"
    if omission.kind.startswith(TEXTS):
        return f"{omission.kind.removeprefix(f'{TEXTS}: ')} texts"
    return omission.kind


def _costs(spent: Spent | None) -> Iterator[str]:
    if spent is None:
        return
    usd = f"${spent.usd:.4f}" if spent.usd else "no money"
    tokens = f"{spent.tokens_in} tokens in, {spent.tokens_out} out"
    yield f"cost of all its texts: {spent.requests} requests, {tokens}, {usd}"


def _looks(pages: tuple[str, ...], release: Path) -> Iterator[str]:
    if pages:
        yield f"look at it: {', '.join(pages)} in {release}"
        yield f"  or in the browser: benchloom explore {shlex.quote(str(release))}"
