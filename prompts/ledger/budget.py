"""Reserve a request's highest possible cost on disk before it is sent, to keep the spend limit.

The column `committed_nano` of a job is the cost of its settled attempts plus the highest possible
cost of its open attempts. A reservation that would raise it above the cap is refused inside the
same transaction that would add it, so no number of requests in flight can exceed the cap. An
attempt that a killed run left open may have been billed, so it still counts at its highest cost.
When a later attempt at the same request is answered, the number of its prompt tokens is known, and
only the reply of the open attempt still counts at its highest cost.
"""

import sqlite3
import time
from typing import get_args

import msgspec

from benchloom.core.errors import RunError
from prompts.errors import BudgetError
from prompts.exchange import BatchEnd, FaultName, Purpose, Request, Status
from prompts.ledger.log import LOST, settle
from prompts.ledger.prices import FREE, MAX_USD, NANO, Price
from prompts.ledger.schema import REMEDY
from prompts.ledger.store import Store

OUTCOMES = (
    *get_args(Status),
    *get_args(FaultName),
    "not_sent",
    "never_created",
    LOST,
    *(f"batch_{end}" for end in get_args(BatchEnd)),
)
"""All outcomes that an attempt may have in the ledger."""
_LEFT_OPEN = "job = ? AND outcome IS NULL AND batch IS NULL"
MAX_CHARGES = 2**62
"""The value that means "no cap" in the ledger; no sum of costs reaches it."""


class PartSpending(msgspec.Struct, frozen=True):
    """The cost of a job's attempts for one purpose; open attempts count at their reserved cost."""

    attempts: int
    usd: float


class Spending(msgspec.Struct, frozen=True):
    """The cost of a job, with earlier runs included.

    `settled_usd` is the cost of ended attempts, and `open_usd` the amount that open attempts
    reserve. `outcomes` counts the attempts with each outcome. `extras` contains the cost of further
    candidates, of judging candidates and of repairs; the other fields include this cost, too.
    """

    settled_usd: float
    open_usd: float
    attempts: int
    open_attempts: int
    outcomes: dict[str, int]
    extras: dict[Purpose, PartSpending] = {}


class Governor:
    """A budget for one job; it reserves the cost of attempts and records their actual cost.

    Args:
        job: the unit that the cap applies to: a step over one input by one model. A resumed run
            has the same job, so it continues with the rest of the budget.
        price: None if the model's price is unknown; then there must be no cap.
        max_usd: the hard cap in US dollars; None means no cap.

    Raises:
        RunError: the cap is not an amount of money, or the ledger is damaged.
    """

    def __init__(
        self, store: Store, job: str, price: Price | None, max_usd: float | None = None
    ) -> None:
        self._store = store
        self.job = job
        self.price = price
        self._cap = MAX_CHARGES if max_usd is None else _nano_of(max_usd)
        store.write(
            lambda connection: connection.execute(
                "INSERT OR IGNORE INTO jobs (job) VALUES (?)", (job,)
            )
        )
        self._check()
        left_open = store.rows(
            f"SELECT DISTINCT request_digest FROM attempts WHERE {_LEFT_OPEN}",  # noqa: S608  the inserted texts are constants
            job,
        )
        self._left_open = {digest for (digest,) in left_open}

    def _check(self) -> None:
        """Raise if the job's recorded cost differs from the sum of its attempts."""
        ((booked_nano, counted),) = self._store.rows(
            "SELECT (SELECT committed_nano FROM jobs WHERE job = ?), "
            "coalesce(sum(CASE WHEN outcome IS NULL THEN reserved_nano ELSE charged_nano END), 0) "
            "FROM attempts WHERE job = ?",
            self.job,
            self.job,
        )
        unknown = sum(n for outcome, n in self._outcomes().items() if outcome not in OUTCOMES)
        if booked_nano != counted or unknown:
            ledger_path = self._store.ledger or self._store.path
            raise RunError(
                f"{ledger_path} is damaged: the recorded cost of {self.job} is "
                f"${booked_nano / NANO:.9f}, the sum of its attempts is ${counted / NANO:.9f} "
                f"({unknown} attempts with an unknown outcome); {REMEDY}"
            )

    def most_nano(self, request: Request, *, batch: bool = False) -> int:
        """Return the highest possible cost of a request, in billionths of a dollar."""
        return (self.price or FREE).most_nano(request, batch=batch)

    def cost_nano(
        self, tokens_in: int, tokens_out: int, tokens_cached: int = 0, *, batch: bool = False
    ) -> int:
        """Return the cost of a reply's tokens, in billionths of a dollar."""
        return (self.price or FREE).nano(tokens_in, tokens_out, tokens_cached, batch=batch)

    def reserve(self, request: Request) -> int:
        """Record an attempt as open, with its reserved cost, and return its number.

        The caller must not send the request before the attempt is on disk.

        Raises:
            BudgetError: the cap could be exceeded.
        """
        reserved = self.most_nano(request)
        digest = request.digest()
        return self._store.write(
            lambda connection: self.reserve_in(
                connection, digest, reserved, purpose=request.purpose
            )
        )

    def reserve_in(
        self,
        connection: sqlite3.Connection,
        request_digest: str,
        reserved_nano: int,
        batch: str | None = None,
        purpose: Purpose = "step",
    ) -> int:
        """Record an attempt as open, like `reserve`, but inside the caller's transaction.

        Raises:
            BudgetError: the cap could be exceeded; nothing was written.
        """
        # One statement compares and books: a SELECT first would let two runs take the same dollars.
        taken = connection.execute(
            "UPDATE jobs SET committed_nano = committed_nano + ? "
            "WHERE job = ? AND committed_nano + ? <= ?",
            (reserved_nano, self.job, reserved_nano, self._cap),
        )
        if taken.rowcount == 0:
            raise self._refusal(reserved_nano)
        inserted = connection.execute(
            "INSERT INTO attempts (job, request_digest, reserved_nano, batch, started_at, purpose) "
            "VALUES (?,?,?,?,?,?)",
            (self.job, request_digest, reserved_nano, batch, time.time(), purpose),
        )
        return int(inserted.lastrowid or 0)

    def fitting(self, requests: list[Request]) -> list[Request]:
        """Return as many of the first requests as the cap allows at the Batch API's price.

        Raises:
            BudgetError: not even the first request fits.
        """
        ((committed,),) = self._store.rows(
            "SELECT committed_nano FROM jobs WHERE job = ?", self.job
        )
        room = self._cap - committed
        for count, request in enumerate(requests):
            cost = self.most_nano(request, batch=True)
            if cost > room:
                if count == 0:
                    raise self._refusal(cost)
                return requests[:count]
            room -= cost
        return requests

    def _refusal(self, reserved_nano: int) -> BudgetError:
        return BudgetError(
            f"the next request could cost ${reserved_nano / NANO:.6f} and exceed "
            f"--max-usd {self._cap / NANO:.6f}; finished work is kept; raise the cap to continue"
        )

    def give_up(self, attempt: int, outcome: str, charged_nano: int) -> None:
        """Record the end and the cost of an attempt that got no reply.

        The call does not wait for the disk. Until the record is on disk, the attempt counts at its
        highest cost.
        """
        self._store.write(lambda connection: settle(connection, attempt, outcome, charged_nano))

    def bound_lost(self, request: Request, tokens_in: int) -> None:
        """Lower the cost of attempts that killed runs left open, when their request is answered.

        Their prompt was the same, so each costs at most these prompt tokens and a reply of maximum
        length.
        """
        digest = request.digest()
        if digest not in self._left_open:
            return
        self._left_open.discard(digest)
        most = self.cost_nano(tokens_in, request.parameters.max_tokens)

        def settle_lost(connection: sqlite3.Connection) -> None:
            lost = connection.execute(
                "SELECT id, reserved_nano FROM attempts "  # noqa: S608  the inserted texts are constants
                f"WHERE {_LEFT_OPEN} AND request_digest = ?",
                (self.job, digest),
            ).fetchall()
            for attempt, reserved_nano in lost:
                settle(connection, attempt, LOST, min(reserved_nano, most))

        self._store.write(settle_lost)

    def spending(self) -> Spending:
        """Return the cost of the job so far, including earlier runs."""
        ((settled, open_nano, attempts, open_attempts),) = self._store.rows(
            "SELECT coalesce(sum(charged_nano), 0), "
            "coalesce(sum(reserved_nano) FILTER (WHERE outcome IS NULL), 0), "
            "count(*), count(*) FILTER (WHERE outcome IS NULL) FROM attempts WHERE job = ?",
            self.job,
        )
        extras = self._extras()
        outcomes = self._outcomes()
        return Spending(settled / NANO, open_nano / NANO, attempts, open_attempts, outcomes, extras)

    def _extras(self) -> dict[Purpose, PartSpending]:
        rows = self._store.rows(
            "SELECT purpose, count(*), sum(coalesce(charged_nano, reserved_nano)) FROM attempts "
            "WHERE job = ? AND purpose != 'step' GROUP BY purpose ORDER BY purpose",
            self.job,
        )
        return {purpose: PartSpending(count, nano / NANO) for purpose, count, nano in rows}

    def _outcomes(self) -> dict[str, int]:
        outcome_rows = self._store.rows(
            "SELECT outcome, count(*) FROM attempts WHERE job = ? AND outcome IS NOT NULL "
            "GROUP BY outcome ORDER BY outcome",
            self.job,
        )
        return dict(outcome_rows)


def _nano_of(max_usd: float) -> int:
    if not 0 <= max_usd <= MAX_USD:
        raise RunError(f"the cap is {max_usd} dollars; it must be 0 to {MAX_USD}, or omitted")
    return int(max_usd * NANO)
