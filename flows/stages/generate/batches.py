"""Batches of cases, made in any process of an engine and exchanged as files.

A run writes the requests and the values that several cases share to files, and sends the digest
of the request file with the call. So only data that the run has written is unpickled.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.workspace import read_again, write_file
from prompts.inputs.late_shortcuts import Shared
from prompts.results.rows import AnyCase, Judge, Looked, Row, template_row
from prompts.steps import STEPS, LateCase

_ASKED, _MADE, _SHARED = "asked-", "made-", "shared-"
"""How their files begin; names without a dot are no parts of a stage."""
_MAX_SHARED = 4
"""Shared values that a process holds; a run has one."""
CaseAndRow = tuple[AnyCase | Rejected, Row | None]
"""A case and the row somebody made of it; None where the template writer is to make it."""


class CaseResult(msgspec.Struct, frozen=True):
    """The result of a case: the row of the template writer, and the checks of a single text.

    The checked text is that of the template writer or of another writer. The row is in one of
    three tuples: `texts` (a text), `verdicts` (a judge's verdict) or `rejected` (the reason for
    a missing row). All three are empty if another writer made the row.
    """

    texts: tuple[Query, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    looked: Looked = Looked()

    def row(self, other_row: Row | None) -> Row:
        """Return the row of another writer, `other_row`, or without one the row made here."""
        if other_row is not None:
            return other_row
        rows: tuple[Row, ...] = (*self.texts, *self.verdicts, *self.rejected)
        return rows[0]


class Result(NamedTuple):
    """An encoded `CaseResult`, and the digest of everything that decides it, if it has one."""

    case_digest: bytes | None
    encoded: bytes


def _unknown(case_digest: bytes) -> None:
    """The default lookup of `result_of`: nothing is cached."""


def result_of(
    step: str, request: CaseAndRow, lookup: Callable[[bytes], bytes | None] = _unknown
) -> Result:
    """Return a case's result: the cached result that `lookup` finds, else a new result.

    If the case has a late input, this function computes the input.
    """
    case, row = request
    case_digest = None if isinstance(case, Rejected) else digest_of(case, row)
    cached_result = None if case_digest is None else lookup(case_digest)
    return Result(case_digest, cached_result or _ENCODER.encode(maker(step)(request)))


def digest_of(case: AnyCase, row: Row | None) -> bytes | None:
    """Return the digest of a case, its input and the text that another writer wrote about it.

    Return None if the input contains more than plain values, such as an index that all cases
    share.
    """
    try:
        said = _ENCODER.encode((case.target_id, case.source_uri, case.input, _text_fields(row)))
    except TypeError:
        return None
    return tagged_digest("case", said).encode()


def late_digest_of(case: LateCase[Any], row: Row | None) -> bytes:
    """Return the digest of a case with a late input and of another writer's text about it.

    Unlike `digest_of`, this function does not need the input to be computed.
    """
    return tagged_digest("late", _ENCODER.encode((case.input_digest, _text_fields(row)))).encode()


def _text_fields(row: Row | None) -> tuple[str, str, str | None, str | None] | None:
    """Return the fields of another writer's text that decide results; None without text."""
    if not isinstance(row, Query):
        return None
    return row.query_id, row.text, row.structured, row.category


@cache
def maker(step: str) -> Callable[[CaseAndRow], CaseResult]:
    """Return a function that makes the row of a case, if it has none, and checks its text."""
    chosen_step = STEPS.find(step)
    judge = Judge(chosen_step.kind)

    def make(request: CaseAndRow) -> CaseResult:
        case, other_row = request
        if isinstance(case, Rejected):
            return CaseResult(rejected=(case,))
        row = template_row(chosen_step, case) if other_row is None else other_row
        if isinstance(row, Query):
            looked = judge.alone(chosen_step, case.input, row)
            return CaseResult(texts=() if other_row is not None else (row,), looked=looked)
        return (
            CaseResult(verdicts=(row,)) if isinstance(row, Verdict) else CaseResult(rejected=(row,))
        )

    return make


class BatchFile(NamedTuple):
    """A file of requests, and the digest of its content when it was written."""

    path: Path
    digest: str


def write_batch(folder: Path, number: int, requests: Sequence[CaseAndRow]) -> BatchFile:
    """Write a batch of requests into a folder, and its shared values into other files."""
    path = folder / f"{_ASKED}{number}"
    with path.open("wb") as file:
        _Pickler(file, folder).dump(list(requests))
    return BatchFile(path, hashlib.sha256(path.read_bytes()).hexdigest())


def make_batch(step: str, batch: BatchFile) -> None:
    """Make the results for a file of requests, and write them to a file beside it.

    Raises:
        RunError: the file is not what the run wrote, or is not visible on this machine.
    """
    content = read_again(batch.path, batch.digest)
    requests: list[CaseAndRow] = _Unpickler(content, batch.path.parent).load()
    write_file(
        _result_path(batch.path),
        _ENCODER.encode([result_of(step, request) for request in requests]),
    )


def collected(signals: Iterator[None], batches: Sequence[BatchFile]) -> Iterator[Result]:
    """Yield the results of batches, each batch once it is made."""
    for batch, _ in zip(batches, signals, strict=True):
        results = _result_path(batch.path)
        yield from _DECODER.decode(results.read_bytes())
        results.unlink()
        batch.path.unlink()


class _Pickler(pickle.Pickler):
    """Pickles the values that cases share into separate files."""

    def __init__(self, file: IO[bytes], folder: Path) -> None:
        super().__init__(file)
        self._folder = folder

    def persistent_id(self, obj: object) -> str | None:
        """Write a shared value to its file and return its digest; None for other objects."""
        if not isinstance(obj, Shared):
            return None
        path = self._folder / f"{_SHARED}{obj.digest}"
        if not path.exists():
            write_file(path, obj.packed)
        return obj.digest


class _Unpickler(pickle.Unpickler):
    """Unpickles shared values from their files, each once in a process."""

    def __init__(self, content: bytes, folder: Path) -> None:
        super().__init__(BytesIO(content))
        self._folder = folder

    def persistent_load(self, pid: str) -> object:
        """Return the shared value with this digest."""
        return _load_shared(self._folder / f"{_SHARED}{pid}", pid)


@lru_cache(maxsize=_MAX_SHARED)
def _load_shared(path: Path, digest: str) -> Shared[Any]:
    # Written by the run itself: its digest stood in a batch that was.
    return Shared(pickle.loads(read_again(path, digest)))  # noqa: S301  this run wrote the file


def _result_path(path: Path) -> Path:
    return path.with_name(path.name.replace(_ASKED, _MADE))


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(list[Result])
