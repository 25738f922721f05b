"""Summarise a finished rebuild: the release's content, omissions with reasons, and cost.

`release_facts` collects the facts from the release's own files; this module reads no files.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from flows.console.explanations import CHECKS, ExplainedReason, explanation_of

EVALUATION, TEXTS, GIVEN_TEXTS = "evaluation", "texts", "texts by people"
"""Kinds of rows that have separate closing lines."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of rows of a kind that a run received, wrote and left out for each reason.

    `kind` is the name of the rows: `shortcuts`, `evaluation`, `texts: query`. `received` is the sum
    of `kept` and the counts of `reasons`. A row with several reasons counts under the first reason,
    as in the output of the stage that left it out.
    """

    kind: str
    received: int
    kept: int
    reasons: Mapping[str, int] = {}

    @property
    def left_out(self) -> int:
        """The number of rows that are not kept."""
        return self.received - self.kept


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of the completions of a release, in this run or in earlier ones."""

    requests: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    usd: float


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a release that the summary of a rebuild reports.

    `tallies` has one entry for each kind of rows. `pages` are the documents to look at, as paths
    below the release. `judged` says whether a judge of faithfulness gave a verdict on any text;
    None if there are no texts to judge. `judge_asked` says whether a judge ran; `unjudged` counts
    kept texts by models without a judge's verdict.
    """

    tallies: tuple[Tally, ...] = ()
    spent: Spent | None = None
    judged: bool | None = None
    judge_asked: bool = False
    unjudged: int = 0
    pages: tuple[str, ...] = ()


_REASONS = 3
"""Maximum number of reasons listed for each kind."""
_EXPLAINED = 2
"""Maximum number of reasons explained for each kind, if there is space."""
_OF_TEXTS = (CHECKS, "benchloom.release.review", "prompts")
_OF_OTHERS = (
    "parsers",
    "benchloom.normalise",
    "benchloom.storage",
    "scrapers",
    "benchloom.exchange",
)
_LEFT_OUT = "Left out (`benchloom reasons` explains every reason):"
MAX_LINES = 34
"""Maximum number of closing lines; four more lines are about the release."""


def closing_lines(closing: Closing, release: Path) -> list[str]:
    """Return lines about the written and left-out rows of a release, its cost and documents."""
    ends = [*_costs(closing.spent), *_looks(closing.pages, release)]
    tally_lines = [_tally_line(tally) for tally in closing.tallies]
    for explained in range(_EXPLAINED, -1, -1):
        left_out = [*_all_left_out(closing.tallies, explained), *_judgement(closing)]
        room = MAX_LINES - len(ends) - len(_heads(tally_lines, left_out))
        if len(tally_lines) + len(left_out) <= room:
            break
    tally_lines = _first_lines(tally_lines, room // 2 if left_out else room)
    left_out = _first_lines(left_out, room - len(tally_lines))
    return [*_section("Kept:", tally_lines), *_section(_LEFT_OUT, left_out), *ends]


def _heads(*sections: list[str]) -> list[list[str]]:
    return [section for section in sections if section]


def _section(head: str, lines: list[str]) -> list[str]:
    return [head, *lines] if lines else []


def _first_lines(lines: list[str], room: int) -> list[str]:
    """Return as many lines as fit; the last line says how many more there are."""
    if len(lines) <= room:
        return lines
    more = len(lines) - room + 1
    return [*lines[: room - 1], f"  and {more} more lines: FIGURES.md of the release"]


def _tally_line(tally: Tally) -> str:
    total = f" of {tally.received}" if tally.left_out else ""
    return f"  {_name(tally)}: {tally.kept}{total}"


def _judgement(closing: Closing) -> Iterator[str]:
    """Yield a note if no judge gave a verdict on the texts."""
    if closing.judged is not False and not closing.unjudged:
        return
    if closing.judge_asked:
        if closing.judged is False:
            yield "  the judge gave no usable verdict: choose another [generate] model"
        return
    if closing.unjudged:
        count = closing.unjudged
        yield f"  {count} kept texts of a model were checked only by rules, not by a judge"
    yield '  no judge read the texts: add "faithfulness" to [generate] steps'


def _all_left_out(tallies: Sequence[Tally], explained: int) -> Iterator[str]:
    """Yield a line per kind with its left-out rows, then an explanation of each reason."""
    printed: set[ExplainedReason] = set()
    for tally in tallies:
        most = sorted(tally.reasons.items(), key=lambda entry: (-entry[1], entry[0]))
        if not most:
            continue
        why = ", ".join(f"{reason} {count}" for reason, count in most[:_REASONS])
        if len(most) > _REASONS:
            why += f", other reasons {sum(count for _, count in most[_REASONS:])}"
        yield f"  {_name(tally)}: {tally.left_out} ({why})"
        meanings = [_meaning(tally, reason) for reason, _ in most[:_REASONS]]
        listed = [entry for entry in meanings if entry is not None and entry not in printed]
        # Reasons that the user can do something about come first.
        for entry in sorted(listed, key=lambda entry: not entry.remedy)[:explained]:
            printed.add(entry)
            yield f"    {entry.reason}: {entry.explanation} {entry.remedy}".rstrip()


def _meaning(tally: Tally, reason: str) -> ExplainedReason | None:
    if tally.kind == EVALUATION:
        return explanation_of(reason, ("benchloom.normalise",))
    is_text = tally.kind.partition(":")[0] in {TEXTS, GIVEN_TEXTS}
    return explanation_of(reason, _OF_TEXTS if is_text else _OF_OTHERS)


def _name(tally: Tally) -> str:
    group, _, kind = tally.kind.partition(": ")
    if tally.kind == EVALUATION:
        return "shortcuts for evaluation"
    if group == TEXTS:
        return f"{kind} texts"
    if group == GIVEN_TEXTS:
        return f"{kind} texts by people"
    return tally.kind


def _costs(spent: Spent | None) -> Iterator[str]:
    if spent is None:
        return
    usd = f"${spent.usd:.4f}" if spent.usd else "no money"
    cached = f" ({spent.tokens_cached} cached)" if spent.tokens_cached else ""
    tokens = f"{spent.tokens_in} tokens in{cached}, {spent.tokens_out} out"
    yield f"cost of all its texts: {spent.requests} requests, {tokens}, {usd}"


def _looks(pages: tuple[str, ...], release: Path) -> Iterator[str]:
    if pages:
        yield f"documents: {', '.join(pages)} in {release}"
        yield f"  or in the browser: benchloom explore {shlex.quote(str(release))}"
