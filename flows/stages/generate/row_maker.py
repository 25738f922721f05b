"""Write template texts and check single texts in several processes, and cache the results.

A result depends only on the case (the input of one text), the text and the code. So the processes
of the engine make the results in batches, and later runs reuse them if nothing changed. These
processes also compute the input of a `LateCase`, which is computed only when it is needed. Checks
that compare texts with each other are not made here: they need all texts in order.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, NamedTuple

import msgspec

from benchloom.core.records import Query, Rejected
from benchloom.storage.memory import digest, memory
from flows.run.engines import current_engine
from flows.stages.generate.plan import GeneratePlan
from prompts.results.rows import AnyCase, Row, TextFindings, examine_text, no_template, template_row
from prompts.steps import STEPS, LateCase

_MAX_IN_BATCH = 64
_LEAST_IN_BATCH = 4
_BATCHES_FOR_EACH = 4
"""Maximum number of batches per process that are started before earlier ones are written."""
CaseAndRow = tuple[AnyCase | Rejected, Row | None]
"""A case (the input of one text) and its row. The row is None if a template must still write it."""


class BatchPool(msgspec.Struct, frozen=True):
    """The processes that work on batches of rows.

    `run` is called like the built-in `map`; `batches` is how many batches can run in parallel.
    """

    run: Callable[..., Iterator[Any]] = map
    batches: int = 1


OWN = BatchPool()
"""A pool without other processes, for which this process makes every batch."""


@contextmanager
def batch_pool(workers: int) -> Iterator[BatchPool]:
    """Yield the engine's processes, at most `workers` of them on this machine."""
    engine = current_engine()
    with engine.mapping(workers) as run:
        yield BatchPool(run, engine.at_once(workers))


class CaseResult(msgspec.Struct, frozen=True):
    """The text that a template wrote about a case (or None), and the findings of the checks."""

    text: Query | None = None
    text_findings: TextFindings = TextFindings()


class _Pending(NamedTuple):
    """A case whose text is to be written or checked, with its cached result if there is one.

    `input_digest` is None if the result cannot be stored and this process makes it.
    """

    case: AnyCase
    row: Query | None
    input_digest: bytes | None
    stored: bytes | None


_Entry = _Pending | tuple[AnyCase | Rejected, Row]


class RowMaker:
    """Writes template texts for one plan, and checks each of its texts alone.

    If only one batch can run in parallel, this process makes every result when it is requested.
    """

    def __init__(self, plan: GeneratePlan, batch_pool: BatchPool) -> None:
        self._step = STEPS.find(plan.step)
        self._memory = memory()
        self._writer = digest(*plan.rules(), "template" if plan.model is None else "model")
        self._batch_pool = batch_pool

    def rows(
        self, requests: Iterable[CaseAndRow]
    ) -> Iterator[tuple[AnyCase | Rejected, Row, TextFindings]]:
        """Yield each case (the input of one text) with its row and the findings of its checks.

        The cases are in the order of the requests.
        """
        batches = self._batch_pool.batches
        most = 1 if batches == 1 else _MAX_IN_BATCH * _BATCHES_FOR_EACH * batches
        remaining = iter(requests)
        before: tuple[list[_Entry], Iterator[bytes]] | None = None
        while window := [self._entry(*request) for request in islice(remaining, most)]:
            begun = window, self._begin(window)
            # Other processes work on this window while the rows of the last one are written here.
            if before is not None:
                yield from self._end(*before)
            before = begun
        if before is not None:
            yield from self._end(*before)

    def _entry(self, case: AnyCase | Rejected, row: Row | None) -> _Entry:
        if isinstance(case, Rejected):
            return case, case
        if row is None and self._step.judges:
            row = template_row(self._step, case)
        if not (row is None or isinstance(row, Query)):
            return case, row
        input_digest = self._digest_of(case, row)
        stored = (
            None if self._memory is None or input_digest is None else self._memory.get(input_digest)
        )
        return _Pending(case, row, input_digest, stored)

    def _digest_of(self, case: AnyCase, row: Query | None) -> bytes | None:
        """Return the digest of everything that determines the result of a case.

        Return None if the input contains more than plain values, such as an index that all cases
        share.
        """
        source = (
            case.input_digest
            if isinstance(case, LateCase)
            else (case.target_id, case.source_uri, case.input)
        )
        text = None if row is None else (row.query_id, row.text, row.structured, row.category)
        try:
            return digest(self._writer, _ENCODER.encode((source, text)))
        except TypeError:
            return None

    def _begin(self, window: list[_Entry]) -> Iterator[bytes]:
        """Start making the results that are not cached; return an iterator over these results."""
        new = [
            (entry.case, entry.row)
            for entry in window
            if isinstance(entry, _Pending)
            and entry.input_digest is not None
            and entry.stored is None
        ]
        even = -(-len(new) // self._batch_pool.batches)
        size = min(max(even, _LEAST_IN_BATCH), _MAX_IN_BATCH)
        batches = [new[start : start + size] for start in range(0, len(new), size)]
        if not batches:
            return iter(())
        steps = [self._step.name] * len(batches)
        return chain.from_iterable(self._batch_pool.run(make_results, steps, batches))

    def _end(
        self, window: list[_Entry], results: Iterator[bytes]
    ) -> Iterator[tuple[AnyCase | Rejected, Row, TextFindings]]:
        for entry in window:
            if not isinstance(entry, _Pending):
                yield *entry, TextFindings()
                continue
            encoded = entry.stored
            if entry.input_digest is None:
                (encoded,) = make_results(self._step.name, [(entry.case, entry.row)])
            elif encoded is None:
                encoded = next(results)
                if self._memory is not None:
                    self._memory.put(entry.input_digest, encoded)
            result = _DECODER.decode(encoded)
            yield (
                entry.case,
                entry.row or result.text or no_template(entry.case),
                result.text_findings,
            )


def make_results(name: str, requests: list[tuple[AnyCase, Query | None]]) -> list[bytes]:
    """Return an encoded `CaseResult` for each case; a case without a row gets a template text."""
    step = STEPS.find(name)
    results = []
    for case, row in requests:
        text = template_row(step, case) if row is None else row
        result = CaseResult()
        if isinstance(text, Query):
            text_findings = examine_text(step, case.input, text)
            result = CaseResult(text if row is None else None, text_findings)
        results.append(_ENCODER.encode(result))
    return results


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(CaseResult)
