"""Stage read, captures: what each capture says by itself, a stretch of an archive at a time.

What a shard holds follows from the bytes of its archive, so those of archives that are there
already are taken over from the run before. What captures say of each other is not its business.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.identity import digest_of_parts
from benchloom.inputs import SourceFile, source_file
from benchloom.records import Capture
from benchloom.sealing import Signature, file_digest, kind_of, signature_of
from benchloom.stages import MOST_SHARDS, ShardMark, complete_mark, part_path, write_shard_mark
from benchloom.workspace import write_file
from flows.stages.sharded import ShardedStage, stage_path
from scrapers.captures import ArchiveIndex, CaptureStore, body_of, index_of
from scrapers.captures.layout import archives_in, index_path
from scrapers.crawling.readings import FreshReadings, Reading, is_read, read_capture

STAGE = "read-captures"
TABLE = "readings"
PLAN = "stretches"
ENDING = ".msgpack"
CODE = StageCode(stage=STAGE, module=__name__, tables=())
SHARD_BYTES = 1024 * 1024
_LEVEL = 1


class Stretch(msgspec.Struct, frozen=True, array_like=True):
    """The records of an archive that start at bytes from `start` to before `stop`."""

    warc: str
    start: int
    stop: int


def prepare(captures: Path, root: Path) -> ShardedStage:
    """The stage over a folder of captures, in a folder of `root` named by its key.

    Raises:
        OSError: an archive cannot be read.
    """
    found = archives_in(captures)
    sources = [
        source_file(str(captures / one.warc), one.warc) for one in found if one.problem is None
    ]
    parts = list(_stretches(sources))
    told = {one.source_uri: (one.digest, _index_digest(captures, one)) for one in sources}
    strangers = [f"{one.warc}: {one.problem}" for one in found if one.problem is not None]
    key = CODE.key([*chain.from_iterable((name, *told[name]) for name in told), *strangers])
    folder = stage_path(root, "captures", key)
    decides = CODE.key(())
    keys = [
        digest_of_parts("stretch", [decides, *told[one.warc], str(one.start), str(one.stop)])
        for one in parts
    ]
    return ShardedStage(
        STAGE,
        key,
        folder,
        len(parts),
        partial(read_shard, captures, parts, out=folder),
        sources,
        keys=lambda: keys,
        closing=partial(_leave_plan, parts, out=folder),
    )


def _stretches(archives: Sequence[SourceFile]) -> Iterator[Stretch]:
    """Even stretches of each archive; they stay while all archives do not double."""
    size, total = SHARD_BYTES, sum(one.size for one in archives)
    while size * MOST_SHARDS < total:
        size *= 2
    for one in archives:
        for start in range(0, one.size, size):
            yield Stretch(one.source_uri, start, start + size)


def _index_digest(captures: Path, archive: SourceFile) -> str:
    index = index_path(captures / archive.source_uri)
    return file_digest(index) if kind_of(index) == "file" else ""


def read_shard(captures: Path, parts: Sequence[Stretch], number: int, out: Path) -> ShardMark:
    """Write what the captures of one stretch say.

    Raises:
        RunError: the archive no longer holds what its index says.
    """
    part = parts[number]
    index = _index(captures, part.warc, _signatures(captures, part.warc))
    wanted = [one for one in index.captures if part.start <= one.offset < part.stop]
    wanted = [one for one in wanted if is_read(one)]
    with (captures / part.warc).open("rb") as file:
        found = {one.offset: read_capture(one, body_of(captures, one, file)) for one in wanted}
    write_file(
        part_path(out, TABLE, number, ENDING), zlib.compress(msgspec.msgpack.encode(found), _LEVEL)
    )
    mark = ShardMark(number=number, objects=len(found), rows={TABLE: len(found)}, reasons={})
    write_shard_mark(out, mark)
    return mark


def _leave_plan(parts: Sequence[Stretch], number: int, out: Path) -> ShardMark:
    """Write which stretch each shard is of."""
    write_file(part_path(out, PLAN, number, ENDING), msgspec.msgpack.encode(parts))
    mark = ShardMark(number=number, objects=0, rows={}, reasons={})
    write_shard_mark(out, mark)
    return mark


def _signatures(captures: Path, warc: str) -> tuple[Signature | None, ...]:
    """How an archive and its index were found."""
    paths = captures / warc, index_path(captures / warc)
    return tuple(signature_of(path.stat()) if path.is_file() else None for path in paths)


@lru_cache(maxsize=1)
def _index(captures: Path, warc: str, _: tuple[Signature | None, ...]) -> ArchiveIndex:
    """The index of an archive: a process makes many shards of one."""
    return index_of(captures, warc)


class KeptReadings:
    """What captures of a store say, as a finished stage has it; what came later is read here.

    Raises:
        RunError: the folder holds no complete stage.
    """

    def __init__(self, folder: Path, store: CaptureStore) -> None:
        complete_mark(folder, STAGE)
        self._folder = folder
        self._fresh = FreshReadings(store)
        (plan,) = (folder / PLAN).glob(f"{PLAN}-*{ENDING}")
        parts = msgspec.msgpack.decode(plan.read_bytes(), type=list[Stretch])
        self._numbers: dict[str, list[int]] = {}
        for number, part in enumerate(parts):
            self._numbers.setdefault(part.warc, []).append(number)
        self._size = max((part.stop - part.start for part in parts), default=1)
        self._held: tuple[int, dict[int, Reading]] = (-1, {})

    def of(self, capture: Capture) -> Reading:
        """What a capture says; asked for in the order of captures.

        Raises:
            RunError: it came later, and the archive no longer holds it.
        """
        if not is_read(capture):
            return Reading()
        numbers = self._numbers.get(capture.warc, [])
        place = capture.offset // self._size
        found = self._part(numbers[place]).get(capture.offset) if place < len(numbers) else None
        return self._fresh.of(capture) if found is None else found

    def _part(self, number: int) -> dict[int, Reading]:
        if self._held[0] != number:
            path = part_path(self._folder, TABLE, number, ENDING)
            packed = zlib.decompress(path.read_bytes())
            self._held = number, msgspec.msgpack.decode(packed, type=dict[int, Reading])
        return self._held[1]
