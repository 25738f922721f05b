"""What templates wrote in an earlier run, and what was found in it, for cases that are the same.

A text and what the checks of one text say depend on the case and on the code alone. Checks across
texts see every text again, in order.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchloom.cleaning import REUSED
from benchloom.records import Query, Rejected, Verdict
from benchloom.workspace import KEYED
from flows.stages.generate.plan import GeneratePlan
from flows.stages.kept_results import KEY_BYTES, KeptResults
from flows.stages.sharded import stage_path
from prompts.checks.base import Finding
from prompts.results.judging import Judge
from prompts.results.rows import AnyCase, Row, template_row


class Made(msgspec.Struct, frozen=True):
    """A row, and what the checks of one text found in it where it is a text.

    `texts` holds a text, `verdicts` a judge's word, `rejected` the reason for none: one of them.
    """

    texts: tuple[Query, ...]
    verdicts: tuple[Verdict, ...]
    rejected: tuple[Rejected, ...]
    findings: tuple[Finding | None, ...] = ()

    @property
    def row(self) -> Row:
        """The one row."""
        rows: tuple[Row, ...] = (*self.texts, *self.verdicts, *self.rejected)
        return rows[0]


class Templates:
    """The template writer of a plan, with what it wrote before."""

    def __init__(self, plan: GeneratePlan, judge: Judge, kept: KeptResults | None) -> None:
        self._step = plan.found()
        self._judge = judge
        self._kept = kept
        self._decoder = msgspec.msgpack.Decoder(Made)
        self._encoder = msgspec.msgpack.Encoder(order="deterministic")

    def made(self, case: AnyCase) -> Made:
        """The row of a case."""
        if self._kept is None:
            return self._make(case)
        said = self._encoder.encode((case.target_id, case.source_uri, case.given))
        key = hashlib.blake2b(said, digest_size=KEY_BYTES).digest()
        known = self._kept.find(key)
        if known is None:
            made = self._make(case)
            known = self._encoder.encode(made)
        else:
            made = self._decoder.decode(known)
        self._kept.keep(key, known)
        return made

    def _make(self, case: AnyCase) -> Made:
        row = template_row(self._step, case)
        if isinstance(row, Query):
            return Made((row,), (), (), self._judge.alone(self._step, case.given, row))
        if isinstance(row, Verdict):
            return Made((), (row,), ())
        return Made((), (), (row,))


@contextmanager
def templates(plan: GeneratePlan, judge: Judge, out: Path) -> Iterator[Templates]:
    """The template writer of a plan; in a workspace it remembers what it wrote.

    `out` is the folder of the stage.
    """
    if not KEYED.search(out.name):
        yield Templates(plan, judge, None)
        return
    folder = stage_path(out.parent.parent / REUSED, plan.step, plan.code_key())
    with KeptResults(folder, "templates") as kept:
        yield Templates(plan, judge, kept)
