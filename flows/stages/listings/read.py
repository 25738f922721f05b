"""The stage `read` parses captures (stored responses) one by one.

A shard reads a range of bytes of an archive.

A shard depends only on the bytes of its archive, so shards of known archives are reused from
the previous run. Later stages determine the relations between captures.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchloom.core.records import Capture
from benchloom.storage.inputs import SourceFile, source_file
from benchloom.storage.seals import Signature, file_digest, kind_of, signature_of
from benchloom.storage.stages import growing_bytes
from benchloom.storage.tables import BATCHES
from flows.run.finished import open_stage
from flows.run.output import Output
from flows.run.reads import Reads
from flows.run.runner import run_stage
from flows.run.stage import Stage
from scrapers.captures import ArchiveIndex, body_of
from scrapers.captures.layout import archives_in, index_path
from scrapers.crawl.read_parts import Damaged, ReadCaptures, write_read
from scrapers.crawl.readings import Reading, is_read, read_capture

STAGE = "read-captures"
TABLE = "read"
PART_BYTES = 1024 * 1024


class Stretch(msgspec.Struct, frozen=True, array_like=True):
    """The records of an archive that begin at byte `start` or later, and before byte `stop`."""

    warc: str
    start: int
    stop: int


def prepare(captures: Path) -> Stage[Path, Stretch]:
    """Build the stage that parses the captures in a folder.

    Raises:
        OSError: an archive cannot be read.
    """
    sources = [
        source_file(str(captures / archive.warc), archive.warc)
        for archive in archives_in(captures)
        if archive.problem is None
    ]
    parts = list(_stretches(sources))
    digests = {file.source_uri: (file.digest, _index_digest(captures, file)) for file in sources}
    return Stage(
        name=STAGE,
        subject="parsed/captures",
        reads=Reads(
            parts,
            0,
            list(chain.from_iterable((warc, *pair) for warc, pair in digests.items())),
            sources,
            contents=lambda number: [
                digests[parts[number].warc][0],
                f"index {digests[parts[number].warc][1]}",
                f"{parts[number].start} to {parts[number].stop}",
            ],
            covers=lambda number: f"{parts[number].warc} from byte {parts[number].start}",
        ),
        tables=(),
        shared=partial(Path, captures),
        make=read_stretch,
        ending=BATCHES,
    )


def _stretches(archives: Sequence[SourceFile]) -> Iterator[Stretch]:
    """Divide each archive into ranges with the same number of bytes.

    The size changes only when the total size of all archives has doubled.
    """
    size = growing_bytes([archive.size for archive in archives], PART_BYTES)
    for archive in archives:
        for start in range(0, archive.size, size):
            yield Stretch(archive.source_uri, start, start + size)


def _index_digest(captures: Path, archive: SourceFile) -> str:
    index = index_path(captures / archive.source_uri)
    return file_digest(index) if kind_of(index) == "file" else ""


def read_stretch(captures: Path, part: Stretch, output: Output) -> None:
    """Parse the captures in a byte range of an archive, and write their rows and contents.

    Raises:
        RunError: the archive no longer contains what its index says.
    """
    index = _index(captures, part.warc, _signatures(captures, part.warc))
    damages = tuple(damage for damage in index.damages if part.start <= damage.offset < part.stop)
    output.objects = write_read(
        output.path(TABLE), _read(captures, part, index), Damaged(part.warc, damages)
    )
    output.wrote(TABLE, output.objects)


def _read(
    captures: Path, part: Stretch, index: ArchiveIndex
) -> Iterator[tuple[Capture, Reading | None]]:
    with (captures / part.warc).open("rb") as file:
        for capture in index.between(part.start, part.stop):
            yield (
                capture,
                read_capture(capture, body_of(captures, capture, file))
                if is_read(capture)
                else None,
            )


def _signatures(captures: Path, warc: str) -> tuple[Signature | None, ...]:
    """Return the file signatures of an archive and of its index, with None for a missing file."""
    paths = captures / warc, index_path(captures / warc)
    return tuple(signature_of(path.stat()) if path.is_file() else None for path in paths)


@lru_cache(maxsize=1)
def _index(captures: Path, warc: str, _: tuple[Signature | None, ...]) -> ArchiveIndex:
    """Open an archive's index. It is cached, because a process makes many shards of one archive."""
    return ArchiveIndex(captures, warc)


def read_captures(folder: Path) -> ReadCaptures:
    """Return the captures that a finished stage read.

    Raises:
        RunError: the folder does not contain this stage.
    """
    open_stage(folder, STAGE)
    return ReadCaptures(sorted((folder / TABLE).glob(f"*{BATCHES}")))


@contextmanager
def stage_of_captures(captures: Path, read: Path | None) -> Iterator[Path]:
    """Yield the folder of a finished stage: `read` or, if it is None, a temporary folder.

    In the second case the stage that reads the captures is run first.
    """
    if read is not None:
        yield read
        return
    with TemporaryDirectory(prefix="benchloom-") as folder:
        yield run_stage(prepare(captures), Path(folder)).path
