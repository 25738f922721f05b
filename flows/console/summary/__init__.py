"""This package summarises a finished rebuild: the release's rows, left-out rows and cost.

The module `release_facts` reads the facts from the files of the release; this module turns them
into lines.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from flows.console.explanations import CHECKS, ExplainedReason, explanation_of

EVALUATION, TEXTS, GIVEN_TEXTS = "evaluation", "texts", "texts by people"
"""Kinds of rows in `Tally.kind` that are not names of tables."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The number of rows of one kind that a run received, kept, and left out for each reason.

    `kind` is the name of the rows, such as `shortcuts`, `evaluation` or `texts: query`. `received`
    is the sum of `kept` and the counts in `reasons`. A row with several reasons counts only under
    the first reason, as in the output of the stage that left it out.
    """

    kind: str
    received: int
    kept: int
    reasons: Mapping[str, int] = {}

    @property
    def left_out(self) -> int:
        """The number of rows that were received but not kept."""
        return self.received - self.kept


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The total cost of the model replies in a release, including replies of earlier runs."""

    requests: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    usd: float


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a release that the summary of a rebuild reports.

    `tallies` has one entry for each kind of rows. `pages` are the documents to look at, as paths
    inside the release. `judged` says whether a judge of faithfulness gave a verdict on any text; it
    is None if there are no texts to judge. `judge_asked` says whether a judge ran. `unjudged` is
    the number of kept texts that a model wrote and no judge gave a verdict on.
    """

    tallies: tuple[Tally, ...] = ()
    spent: Spent | None = None
    judged: bool | None = None
    judge_asked: bool = False
    unjudged: int = 0
    pages: tuple[str, ...] = ()


_REASONS = 3
"""Maximum number of reasons that are listed for each kind of rows."""
_EXPLAINED = 2
"""Maximum number of reasons that are explained for each kind of rows, if there is space."""
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
"""Maximum number of summary lines; the command prints four more lines about the release."""


def closing_lines(closing: Closing, release: Path) -> list[str]:
    """Return output lines about a release: its kept and left-out rows, its cost, its documents."""
    ends = [*_costs(closing.spent), *_looks(closing.pages, release)]
    tally_lines = [_tally_line(tally) for tally in closing.tallies]
    # Explain fewer reasons until all lines fit; if they do not fit without any, lines are cut.
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
    """Return at most `room` lines; if lines are left out, the last line says how many."""
    if len(lines) <= room:
        return lines
    more = len(lines) - room + 1
    return [*lines[: room - 1], f"  and {more} more lines; see FIGURES.md of the release"]


def _tally_line(tally: Tally) -> str:
    total = f" of {tally.received}" if tally.left_out else ""
    return f"  {_name(tally)}: {tally.kept}{total}"


def _judgement(closing: Closing) -> Iterator[str]:
    """Yield a note if no judge of faithfulness gave verdicts on the texts."""
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
    """Yield a line for each kind of rows that were left out, with their reasons.

    Below each line, explain at most `explained` reasons that no earlier line explains.
    """
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
