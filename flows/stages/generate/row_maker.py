"""Results of single cases: the text of a template, and the findings of checks of one text.

Both results depend only on the case, the text and the code. So the processes of the engine make
them in batches, and later runs reuse them where nothing changed. A late input is computed in
these processes too. Checks that compare texts get every text in order, wherever the other
results are made.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from benchloom.core.records import Query, Rejected
from benchloom.storage.memory import Memory, digest, memory
from flows.run.engines import running
from flows.stages.generate.batches import (
    CaseAndRow,
    CaseResult,
    Result,
    collected,
    digest_of,
    late_digest_of,
    make_batch,
    maker,
    result_of,
    write_batch,
)
from flows.stages.generate.plan import GeneratePlan
from prompts.results.rows import AnyCase, Looked, Row
from prompts.steps import LateCase

BATCHES = "batches"
"""The folder of a stage in which batches lie while they are made."""
_MAX_IN_BATCH = 64
_LEAST_IN_BATCH = 4
_BATCHES_FOR_EACH = 4
"""Batches that are made or wait for each process; results of as many wait for being written."""


class Hands(msgspec.Struct, frozen=True):
    """The processes for batches: `run` is a `map`, `batches` the number to run in parallel."""

    run: Callable[..., Iterator[Any]] = map
    batches: int = 1


OWN = Hands()
"""This process alone."""


@contextmanager
def hands(workers: int) -> Iterator[Hands]:
    """Yield the engine's processes, at most `workers` of them on this machine."""
    engine = running()
    with engine.mapping(workers) as run:
        yield Hands(run, engine.at_once(workers))


class _Waiting(msgspec.Struct, kw_only=True):
    """A case with its cached result, if there is one.

    `source_digest` is the digest of the sources of a late input. `here` marks cases that this
    process completes without the cache: there is nothing to do, or their input contains more than
    plain values, such as an index that all cases share.
    """

    request: CaseAndRow
    here: bool = False
    source_digest: bytes | None = None
    case_digest: bytes | None = None
    cached: bytes | None = None


class _Begun(msgspec.Struct):
    """Cases in order, and the pending results of those without a cached result."""

    window: list[_Waiting]
    new: Iterator[Result]


class Making:
    """Makes the results of single cases for one plan.

    Args:
        folder: the folder of the stage.
        memory: the results of earlier runs, None if no results are stored.
        hands: where batches are made; with one batch in parallel this process makes every
            result, on request.
    """

    def __init__(
        self, plan: GeneratePlan, folder: Path, memory: Memory | None, hands: Hands
    ) -> None:
        self._step = plan.step
        self._folder = folder / BATCHES
        self._memory = memory
        self._writer = digest(*plan.rules(), "template" if plan.model is None else "model")
        self._hands = hands
        self._batches = 0
        self._decoder = msgspec.msgpack.Decoder(CaseResult)

    def rows(
        self, requests: Iterable[CaseAndRow]
    ) -> Iterator[tuple[AnyCase | Rejected, Row, Looked]]:
        """Yield each case with its row and the findings of its checks, in order."""
        if self._hands.batches == 1:
            for request in requests:
                yield from self._end(self._begun([request]))
            return
        most = _MAX_IN_BATCH * _BATCHES_FOR_EACH * self._hands.batches
        remaining = iter(requests)
        before: _Begun | None = None
        while window := list(islice(remaining, most)):
            begun = self._begun(window)
            if before is not None:
                yield from self._end(before)
            before = begun
        if before is not None:
            yield from self._end(before)

    def _begun(self, window: list[CaseAndRow]) -> _Begun:
        """Look up cached results of cases, and start the other cases."""
        waiting = [self._waiting(request) for request in window]
        unknown = [
            waiting_case.request
            for waiting_case in waiting
            if waiting_case.cached is None and not waiting_case.here
        ]
        if self._hands.batches > 1:
            return _Begun(waiting, self._spread(unknown))
        return _Begun(
            waiting, (result_of(self._step, request, self._cached_row) for request in unknown)
        )

    def _waiting(self, request: CaseAndRow) -> _Waiting:
        case, row = request
        if isinstance(case, Rejected) or not (row is None or isinstance(row, Query)):
            return _Waiting(request=request, here=True)
        if isinstance(case, LateCase) and not case.is_made():
            source_digest = late_digest_of(case, row)
            case_digest = self._cached_row(source_digest)
            cached = None if case_digest is None else self._cached_row(case_digest)
            return _Waiting(
                request=request, source_digest=source_digest, case_digest=case_digest, cached=cached
            )
        if self._hands.batches == 1:
            return _Waiting(request=request)
        case_digest = digest_of(case, row)
        cached = None if case_digest is None else self._cached_row(case_digest)
        return _Waiting(
            request=request, here=case_digest is None, case_digest=case_digest, cached=cached
        )

    def _end(self, begun: _Begun) -> Iterator[tuple[AnyCase | Rejected, Row, Looked]]:
        for waiting_case in begun.window:
            case, row = waiting_case.request
            if waiting_case.here:
                outcome = maker(self._step)(waiting_case.request)
            else:
                case_digest, result = (
                    next(begun.new)
                    if waiting_case.cached is None
                    else (waiting_case.case_digest, waiting_case.cached)
                )
                self._store(waiting_case.source_digest, case_digest, result)
                outcome = self._decoder.decode(result)
            yield case, outcome.row(row), outcome.looked

    def _store(self, source_digest: bytes | None, case_digest: bytes | None, result: bytes) -> None:
        if self._memory is None or case_digest is None:
            return
        if source_digest is not None:
            self._memory.put(digest(self._writer, source_digest), case_digest)
        self._memory.put(digest(self._writer, case_digest), result)

    def _spread(self, unknown: list[CaseAndRow]) -> Iterator[Result]:
        """Start making cases in other processes; return an iterator over their results."""
        if not unknown:
            return iter(())
        even = -(-len(unknown) // self._hands.batches)
        size = min(max(even, _LEAST_IN_BATCH), _MAX_IN_BATCH)
        self._folder.mkdir(parents=True, exist_ok=True)
        batches = []
        for start in range(0, len(unknown), size):
            requests = unknown[start : start + size]
            batches.append(write_batch(self._folder, self._batches, requests))
            self._batches += 1
        signals = self._hands.run(make_batch, [self._step] * len(batches), batches)
        return collected(signals, batches)

    def _cached_row(self, case_digest: bytes) -> bytes | None:
        return None if self._memory is None else self._memory.get(digest(self._writer, case_digest))


@contextmanager
def making(plan: GeneratePlan, out: Path, hands: Hands) -> Iterator[Making]:
    """Yield the maker of a plan's rows; it stores results in the memory for later runs.

    `out` is the folder of the stage.
    """
    try:
        yield Making(plan, out, memory(), hands)
    finally:
        shutil.rmtree(out / BATCHES, ignore_errors=True)
