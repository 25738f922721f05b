"""Count the outcome of a text-generating step in its folder, and report its progress."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import GateError
from benchloom.core.progress import UnderWay, under_way
from benchloom.core.records import Rejected, is_judgement
from benchloom.storage.tables import table_parts
from benchloom.storage.tables.reader import read_rows
from flows.run.finished import FinishedStage
from prompts.exchange import Purpose
from prompts.results.rows import NOT_REQUESTED, Row
from prompts.steps import JUDGED_STEPS

if TYPE_CHECKING:  # only runs with a model spend
    from prompts.ledger.budget import Spending


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome and the cost of a run. All counts are of the whole folder.

    `kept` counts texts that no verdict drops. `judged` counts the texts that a judge of
    faithfulness decided about; if `judged` is 0, only rules decided which texts are kept.
    `spending` and `usd_per_kept` are None for the template writer.
    """

    objects: int
    rows: dict[str, int]
    rejected: dict[str, int]
    kept: int
    dropped: dict[str, int]
    judged: int = 0
    spending: "Spending | None" = None
    usd_per_kept: float | None = None

    @property
    def passed_over(self) -> dict[str, int]:
        """The number of rows for which no request was sent, for each reason."""
        return {reason: n for reason, n in self.rejected.items() if reason in NOT_REQUESTED}

    @property
    def unusable(self) -> dict[str, int]:
        """The number of replies with neither a text nor a verdict, for each reason."""
        return {reason: n for reason, n in self.rejected.items() if reason not in NOT_REQUESTED}


def outcome_of(stage: FinishedStage, spending: "Spending | None" = None) -> Outcome:
    """Count kept and dropped texts; a text is kept if all its verdicts keep it."""
    faults: dict[str, str] = {}
    texts: set[str] = set()
    judged_ids: set[str] = set()
    for part in table_parts(stage.path, "verdicts"):
        columns = read_rows(part, ["target_id", "check", "kept", "reason"]).to_pydict()
        for target, check, is_accepted, reason in zip(*columns.values(), strict=True):
            texts.add(target)
            if is_judgement(check):
                judged_ids.add(target)
            if not is_accepted:
                faults.setdefault(target, reason)
    # A step that only judges writes no queries, and a text may have no verdict at all.
    count = max(stage.rows.get("queries", 0), len(texts))
    accepted = count - len(faults)
    usd_each = None
    if spending is not None and accepted:
        usd_each = (spending.settled_usd + spending.open_usd) / accepted
    return Outcome(
        objects=stage.objects,
        rows=dict(stage.rows),
        rejected=dict(stage.reasons),
        kept=accepted,
        dropped=dict(sorted(Counter(faults.values()).items())),
        judged=len(judged_ids),
        spending=spending,
        usd_per_kept=usd_each,
    )


def outcome_lines(step: str, outcome: Outcome, inputs: str, out: str, how: str) -> list[str]:
    """Return lines about the outcome of a run for the console.

    `inputs` is the name of the objects that were read, such as "rows"; `how` is a remark that the
    first line contains in brackets.
    """
    dropped, rejected = sum(outcome.dropped.values()), sum(outcome.rejected.values())
    counts = f"{outcome.kept} kept, {dropped} dropped, {rejected} rejected"
    lines = [f"{outcome.objects} {inputs} -> {counts} in {out} ({how})"]
    if step in JUDGED_STEPS and outcome.judged:
        lines.append(f"  judged: {outcome.judged} by a judge of faithfulness")
    elif step in JUDGED_STEPS:
        lines.append(
            "  not judged, only checked by rules; add the step faithfulness to judge the texts"
        )
    lines += [f"  dropped {count}: {reason}" for reason, count in outcome.dropped.items()]
    lines += [f"  rejected {count}: {reason}" for reason, count in outcome.rejected.items()]
    return lines


_EXTRAS: dict[Purpose, str] = {
    "candidate": "further candidates",
    "judge": "requests to the judge about candidates",
    "repair": "repair turns",
}


def extra_lines(spending: "Spending | None") -> list[str]:
    """Return a line about the cost of further candidates, of judging them and of repairs.

    Return no line if there was no such cost.
    """
    if spending is None or not spending.extras:
        return []
    parts = (
        f"${part.usd:.6f} for {part.attempts} {_EXTRAS[purpose]}"
        for purpose, part in spending.extras.items()
    )
    return [f"  of this {', '.join(parts)}"]


def require_usable(step: str, outcome: Outcome) -> None:
    """Raise if every reply of a run was unusable, so that there are no texts and no verdicts.

    Raises:
        GateError: all replies were unusable; the message counts the reasons.
    """
    unusable = outcome.unusable
    if unusable and not outcome.kept and not outcome.dropped:
        reason_counts = ", ".join(f"{count} {reason}" for reason, count in sorted(unusable.items()))
        raise GateError(
            f"generate {step}: none of {sum(unusable.values())} replies was usable "
            f"({reason_counts}); "
            "set another model in [generate] model, or remove the step"
        )


def require_texts(outcome: Outcome) -> None:
    """Raise if a run had input rows but kept no text; all written rows stay in the folder.

    Raises:
        GateError: nothing was kept; the message counts the reasons.
    """
    if outcome.kept or not outcome.objects:
        return
    reasons = Counter(outcome.dropped) + Counter(outcome.rejected)
    reason_counts = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    raise GateError(
        f"nothing was kept: of {outcome.objects} rows {reason_counts}; "
        "add --preview 3 to see prompts, replies and verdicts"
    )


_SECONDS_BETWEEN_SUMS = 1.0


class GenerateProgress:
    """Counts finished rows, and reports the counts to the progress listeners.

    Args:
        label: the name of the run in the progress.
        total: the expected number of rows.

    `spent` returns the dollars spent so far; it is None for a run that cannot spend. It is called
    now and then in the thread that counts rows, because the ledger can be used only in that thread
    and during the run.
    """

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self.spent: Callable[[], float] | None = None
        self.done = self.accepted = self.dropped = self.rejected = 0
        self._start = self._spent_at = time.monotonic()
        self._spent = 0.0
        self._activity: UnderWay | None = None

    @contextmanager
    def displayed(self) -> Iterator[None]:
        """Display the progress while the block makes the rows."""
        with under_way(self._label, self._total, "rows") as self._activity:
            self._activity.detail = lambda: self.line(time.monotonic())
            yield

    def count(self, row: Row) -> None:
        """Count one finished row as kept, dropped or rejected."""
        self.done += 1
        if isinstance(row, Rejected):
            self.rejected += 1
        elif row.kept:
            self.accepted += 1
        else:
            self.dropped += 1
        now = time.monotonic()
        if self.spent is not None and now - self._spent_at >= _SECONDS_BETWEEN_SUMS:
            self._spent_at, self._spent = now, self.spent()
        if self._activity is not None:
            self._activity.advance()

    def line(self, now: float) -> str:
        """Return the progress in one line."""
        remaining = max(self._total - self.done, 0)
        rate = self.done / max(now - self._start, 1e-9)
        eta = f"{remaining / rate:.0f} s" if rate > 0 else "unknown"
        spent = "" if self.spent is None else f", spent ${self._spent:.4f}"
        return (
            f"{self._label}: {self.done} done ({self.accepted} kept, {self.dropped} dropped, "
            f"{self.rejected} rejected){spent}, {remaining} remaining, ETA {eta}"
        )
