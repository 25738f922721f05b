"""Batches of cases, made in whatever process an engine has: files go there and come back.

A run writes what is asked for and what several cases share, and gives the digest of the first along
with the call. So nothing is unpickled that the run has not written.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from benchloom.core.records import Query, Rejected, Verdict
from benchloom.storage.memory import KEY_BYTES
from benchloom.storage.workspace import read_again, write_file
from prompts.inputs.shared import Shared
from prompts.results.judging import Judge, Looked
from prompts.results.rows import AnyCase, Row, template_row
from prompts.steps import STEPS
from prompts.steps.base import LateCase

_ASKED, _MADE, _SHARED = "asked-", "made-", "shared-"
"""How their files begin; names without a dot are no parts of a stage."""
_MOST_SHARED = 4
"""Shared values that a process holds; a run has one."""
Asked = tuple[AnyCase | Rejected, Row | None]
"""A case and the row somebody made of it; None where the template writer is to make it."""


class Made(msgspec.Struct, frozen=True):
    """A row of the template writer, and what the checks of one text found in it or in another's.

    `texts` holds a text, `verdicts` a judge's word, `rejected` the reason for none: one of them, or
    nothing where somebody else made the row.
    """

    texts: tuple[Query, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    looked: Looked = Looked()

    def row(self, other_row: Row | None) -> Row:
        """The one row; `other_row` is that of somebody else."""
        if other_row is not None:
            return other_row
        rows: tuple[Row, ...] = (*self.texts, *self.verdicts, *self.rejected)
        return rows[0]


class Result(NamedTuple):
    """An encoded `Made`, and the digest of all that decides it; None where that cannot be told."""

    key: bytes | None
    made: bytes


def _unknown(key: bytes) -> None:
    """Nothing is known of anything."""


def result_of(
    step: str, request: Asked, lookup: Callable[[bytes], bytes | None] = _unknown
) -> Result:
    """What is made of a case, unless it is `lookup`; an input that is made late is made now."""
    case, row = request
    key = None if isinstance(case, Rejected) else key_of(case, row)
    cached_result = None if key is None else lookup(key)
    return Result(key, cached_result or _ENCODER.encode(maker(step)(request)))


def key_of(case: AnyCase, row: Row | None) -> bytes | None:
    """The digest of a case with its input and of the text somebody wrote about it.

    None where the input holds more than values, as an index that all cases share.
    """
    try:
        said = _ENCODER.encode((case.target_id, case.source_uri, case.given, _written(row)))
    except TypeError:
        return None
    return hashlib.blake2b(said, digest_size=KEY_BYTES).digest()


def told_key(case: LateCase[Any], row: Row | None) -> bytes:
    """The same of a case whose input need not be made for it."""
    digest = hashlib.blake2b(case.told, digest_size=KEY_BYTES, key=_LATE)
    digest.update(_ENCODER.encode(_written(row)))
    return digest.digest()


def _written(row: Row | None) -> tuple[str, str, str | None, str | None] | None:
    """What somebody wrote about a case."""
    if not isinstance(row, Query):
        return None
    return row.query_id, row.text, row.structured, row.category


@cache
def maker(step: str) -> Callable[[Asked], Made]:
    """What makes the row of a case, where there is none, and looks at its text."""
    chosen_step = STEPS.find(step)
    judge = Judge(chosen_step.kind)

    def make(request: Asked) -> Made:
        case, other_row = request
        if isinstance(case, Rejected):
            return Made(rejected=(case,))
        row = template_row(chosen_step, case) if other_row is None else other_row
        if isinstance(row, Query):
            looked = judge.alone(chosen_step, case.given, row)
            return Made(texts=() if other_row is not None else (row,), looked=looked)
        return Made(verdicts=(row,)) if isinstance(row, Verdict) else Made(rejected=(row,))

    return make


class BatchFile(NamedTuple):
    """A file of what is asked for, and the digest of what was written into it."""

    path: Path
    digest: str


def write_batch(folder: Path, number: int, requests: Sequence[Asked]) -> BatchFile:
    """Write a batch into a folder, and beside it what its cases share."""
    path = folder / f"{_ASKED}{number}"
    with path.open("wb") as file:
        _Pickler(file, folder).dump(list(requests))
    return BatchFile(path, hashlib.sha256(path.read_bytes()).hexdigest())


def make_batch(step: str, batch: BatchFile) -> None:
    """Make what is asked for in a file, and put it into one beside it.

    Raises:
        RunError: the file is not what the run wrote, or not seen here.
    """
    content = read_again(batch.path, batch.digest)
    requests: list[Asked] = _Unpickler(content, batch.path.parent).load()
    write_file(
        _made_path(batch.path), _ENCODER.encode([result_of(step, request) for request in requests])
    )


def collected(signals: Iterator[None], batches: Sequence[BatchFile]) -> Iterator[Result]:
    """What batches hold, each once it is made."""
    for batch, _ in zip(batches, signals, strict=True):
        results = _made_path(batch.path)
        yield from _DECODER.decode(results.read_bytes())
        results.unlink()
        batch.path.unlink()


class _Pickler(pickle.Pickler):
    """Puts what cases share into files of their own."""

    def __init__(self, file: IO[bytes], folder: Path) -> None:
        super().__init__(file)
        self._folder = folder

    def persistent_id(self, obj: object) -> str | None:
        """The digest of a shared value."""
        if not isinstance(obj, Shared):
            return None
        path = self._folder / f"{_SHARED}{obj.digest}"
        if not path.exists():
            write_file(path, obj.packed)
        return obj.digest


class _Unpickler(pickle.Unpickler):
    """Reads shared values again, each once in a process."""

    def __init__(self, content: bytes, folder: Path) -> None:
        super().__init__(BytesIO(content))
        self._folder = folder

    def persistent_load(self, pid: str) -> object:
        """The shared value of a digest."""
        return _shared(self._folder / f"{_SHARED}{pid}", pid)


@lru_cache(maxsize=_MOST_SHARED)
def _shared(path: Path, digest: str) -> Shared[Any]:
    # Written by the run itself: its digest stood in a batch that was.
    return Shared(pickle.loads(read_again(path, digest)))  # noqa: S301


def _made_path(path: Path) -> Path:
    return path.with_name(path.name.replace(_ASKED, _MADE))


_LATE = b"late"
"""Of digests of what inputs are made of."""
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(list[Result])
