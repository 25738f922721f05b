"""What is made of a case by itself: the text of a template, and what checks of one text find.

Both depend on the case, the text and the code alone. So they are made in the processes of the
engine, batch by batch, and never again for what is the same in a later run. Checks across texts see
every text in order, wherever the others are made.
"""

import hashlib
import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from benchloom.cleaning import REUSED
from benchloom.errors import RunError
from benchloom.records import Query, Rejected, Verdict
from benchloom.workspace import KEYED, write_file
from flows.stages.generate.plan import GeneratePlan
from flows.stages.kept_results import KEY_BYTES, KeptResults
from flows.stages.sharded import stage_path
from prompts.results.judging import Judge, Looked
from prompts.results.rows import AnyCase, Row, template_row
from prompts.steps import STEPS
from prompts.steps.base import LateCase

BATCHES = "batches"
"""The folder of a stage in which batches lie while they are made."""
_ASKED, _MADE = "asked-", "made-"
"""How their files begin; names without a dot are no parts of a stage."""
_MOST_IN_BATCH = 64
_LEAST_IN_BATCH = 4
_BATCHES_FOR_EACH = 4
"""Batches that are made or wait for each process; results of as many wait for being written."""
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

    def row(self, given: Row | None) -> Row:
        """The one row; `given` is that of somebody else."""
        if given is not None:
            return given
        rows: tuple[Row, ...] = (*self.texts, *self.verdicts, *self.rejected)
        return rows[0]


class Hands(msgspec.Struct, frozen=True):
    """Where batches are made: `run` is `map` there, `batches` are worth asking for at once."""

    run: Callable[..., Iterator[Any]] = map
    batches: int = 1


OWN = Hands()
"""This process alone."""


class Making:
    """Makes what is made of cases by themselves, for one plan.

    Args:
        folder: that of the stage.
        kept: what an earlier run made, None where nothing is remembered.
        hands: with one batch at once everything is made in this process, as it is asked for.
    """

    def __init__(
        self, plan: GeneratePlan, folder: Path, kept: KeptResults | None, hands: Hands
    ) -> None:
        self._step = plan.step
        self._folder = folder / BATCHES
        self._kept = kept
        self._hands = hands
        self._batches = 0
        self._decoder = msgspec.msgpack.Decoder(Made)

    def made(self, asked: Iterable[Asked]) -> Iterator[tuple[AnyCase | Rejected, Row, Looked]]:
        """Each case with its row and what is found in it, in order."""
        if self._hands.batches == 1:
            for one in asked:
                yield from self._ended(self._begun([one]))
            return
        most = _MOST_IN_BATCH * _BATCHES_FOR_EACH * self._hands.batches
        remaining = iter(asked)
        before: _Begun | None = None
        while window := list(islice(remaining, most)):
            begun = self._begun(window)
            if before is not None:
                yield from self._ended(before)
            before = begun
        if before is not None:
            yield from self._ended(before)

    def _begun(self, window: list[Asked]) -> "_Begun":
        """What is known of some cases; whatever is not is being made from now on."""
        keys = [self._key(case, row) for case, row in window]
        known = [None if key is None else self._known(key) for key in keys]
        unknown = [
            one
            for one, key, found in zip(window, keys, known, strict=True)
            if key is not None and found is None
        ]
        if self._hands.batches == 1:
            new: Iterator[bytes] = map(_encoded, map(_maker(self._step), unknown))
        else:
            new = self._spread(unknown)
        return _Begun(window, keys, known, new)

    def _ended(self, begun: "_Begun") -> Iterator[tuple[AnyCase | Rejected, Row, Looked]]:
        make = _maker(self._step)
        for asked, key, found in zip(begun.window, begun.keys, begun.known, strict=True):
            case, row = asked
            if key is None:
                made = make(asked)
            else:
                result = next(begun.new) if found is None else found
                if self._kept is not None:
                    self._kept.keep(key, result)
                made = self._decoder.decode(result)
            yield case, made.row(row), made.looked

    def _spread(self, unknown: list[Asked]) -> Iterator[bytes]:
        """What is made of cases in other processes; they are at work from now on."""
        if not unknown:
            return iter(())
        even = -(-len(unknown) // self._hands.batches)
        size = min(max(even, _LEAST_IN_BATCH), _MOST_IN_BATCH)
        self._folder.mkdir(parents=True, exist_ok=True)
        paths, digests = [], []
        for start in range(0, len(unknown), size):
            path = self._folder / f"{_ASKED}{self._batches}"
            self._batches += 1
            content = pickle.dumps(unknown[start : start + size])
            path.write_bytes(content)
            paths.append(path)
            digests.append(hashlib.sha256(content).hexdigest())
        made = self._hands.run(make_batch, [self._step] * len(paths), paths, digests)
        return _collected(made, paths)

    def _key(self, case: AnyCase | Rejected, row: Row | None) -> bytes | None:
        """The digest of all that decides what is made; None for what is made here and at once.

        That is where there is nothing to do, or where the input holds more than values, as an index
        that all cases share.
        """
        if isinstance(case, Rejected) or not (row is None or isinstance(row, Query)):
            return None
        if isinstance(case, LateCase) and row is None:
            return self._key_of_late(case)
        return _key_of(case, row)

    def _key_of_late(self, case: LateCase[Any]) -> bytes | None:
        """The same of a case whose input need not be made where its key is known."""
        told = hashlib.blake2b(case.told, digest_size=KEY_BYTES, key=_LATE).digest()
        key = self._known(told) or _key_of(case, None)
        if key is not None and self._kept is not None:
            self._kept.keep(told, key)
        return key

    def _known(self, key: bytes) -> bytes | None:
        return None if self._kept is None else self._kept.find(key)


def _key_of(case: AnyCase, row: Query | None) -> bytes | None:
    """The digest of a case with its input and of the text somebody wrote about it."""
    written = None if row is None else (row.query_id, row.text, row.structured, row.category)
    try:
        said = _ENCODER.encode((case.target_id, case.source_uri, case.given, written))
    except TypeError:
        return None
    return hashlib.blake2b(said, digest_size=KEY_BYTES).digest()


class _Begun(msgspec.Struct):
    """Cases, their keys, what is known of them, and what is being made of the others, in order."""

    window: list[Asked]
    keys: list[bytes | None]
    known: list[bytes | None]
    new: Iterator[bytes]


_LATE = b"late"
"""Of digests of what inputs are made of."""
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


def make_batch(step: str, path: Path, digest: str) -> None:
    """Make what is asked for in a file, and put it into one beside it.

    Raises:
        RunError: the file is not what the run wrote, or not seen here.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; run again") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise RunError(f"{path}: changed since the run wrote it; run again")
    # Written by the run itself: its digest came with the call.
    asked: list[Asked] = pickle.loads(content)  # noqa: S301
    made = [_encoded(one) for one in map(_maker(step), asked)]
    write_file(_made_path(path), _ENCODER.encode(made))


def _collected(made: Iterator[None], paths: Sequence[Path]) -> Iterator[bytes]:
    """What batches hold, each once it is made."""
    decoder = msgspec.msgpack.Decoder(list[bytes])
    for path, _ in zip(paths, made, strict=True):
        results = _made_path(path)
        yield from decoder.decode(results.read_bytes())
        results.unlink()
        path.unlink()


def _made_path(path: Path) -> Path:
    return path.with_name(path.name.replace(_ASKED, _MADE))


def _encoded(made: Made) -> bytes:
    return _ENCODER.encode(made)


@cache
def _maker(step: str) -> Callable[[Asked], Made]:
    """What makes the row of a case, where there is none, and looks at its text."""
    found = STEPS.find(step)
    judge = Judge(found.kind)

    def make(asked: Asked) -> Made:
        case, given = asked
        if isinstance(case, Rejected):
            return Made(rejected=(case,))
        row = template_row(found, case) if given is None else given
        if isinstance(row, Query):
            looked = judge.alone(found, case.given, row)
            return Made(texts=() if given is not None else (row,), looked=looked)
        return Made(verdicts=(row,)) if isinstance(row, Verdict) else Made(rejected=(row,))

    return make


@contextmanager
def making(plan: GeneratePlan, out: Path, hands: Hands) -> Iterator[Making]:
    """The making of a plan's rows; in a workspace it remembers what it made.

    `out` is the folder of the stage.
    """
    with ExitStack() as stack:
        stack.callback(drop_batches, out)
        kept: KeptResults | None = None
        if KEYED.search(out.name):
            folder = stage_path(out.parent.parent / REUSED, plan.step, plan.code_key())
            name = "templates" if plan.model is None else "texts"
            kept = stack.enter_context(KeptResults(folder, name))
        yield Making(plan, out, kept, hands)


def drop_batches(folder: Path) -> None:
    """Remove what batches left, a killed run's included; `folder` is that of the stage."""
    shutil.rmtree(folder / BATCHES, ignore_errors=True)
