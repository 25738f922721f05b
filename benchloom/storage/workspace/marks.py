"""Read and write `stage.json`, the completion record of a pipeline stage.

It lists the files of the stage's folder with their digests, and describes their origin.
"""

import hashlib
import re
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.inputs.listing import SourceFile
from benchloom.storage.seals import (
    Decoded,
    SealedFile,
    changed_files,
    files_in,
    kind_of,
    seal_files,
    unknown_entries,
)
from benchloom.storage.workspace.files import is_temporary, write_file

KEY_DIGITS = 16
KEYED = re.compile(rf"-[0-9a-f]{{{KEY_DIGITS}}}$")
"""Matches the end of a stage folder's name in a workspace: the first digits of the stage's key."""
MEMORY = "memory"
"""The folder of a workspace that contains the cache."""
CAPTURED_LISTINGS = "captured-listings"
CONVERSION = "convert-"
"""Names of stages that convert dialogues begin so; the name of the source follows."""
IMPORT = "import-"
"""Names of stages that import foreign datasets begin so; the name of the format follows."""
WORLD = "world-load-"
"""Names of stages that load initial states of worlds begin so; the name of the suite follows."""
_COMMANDS = {
    "judge-given": "judge",
    "parse-definitions": "parse definitions",
    "parse-listings": "parse listings",
    "parse-shortcuts": "parse shortcuts",
}
_PREFIXES = {"generate-": "generate", IMPORT: "import", WORLD: "world load", CONVERSION: "convert"}


def command_of(stage: str) -> str:
    """Return the command that makes a stage.

    `rebuild` makes all stages without their own command.
    """
    for prefix, command in _PREFIXES.items():
        if stage.startswith(prefix):
            return f"benchloom {command} {stage.removeprefix(prefix)}"
    return f"benchloom {_COMMANDS.get(stage, 'rebuild')}"


def command_again(folder: Path, stage: str = "") -> str:
    """Return the advice to remove a stage's folder and to run its command again."""
    command = command_of(stage)
    if KEYED.search(folder.name):
        command = "benchloom rebuild"
    return f"remove {folder} and run '{command}' again"


STAGE_FILE = "stage.json"
STATISTICS_TABLE = "statistics.md"
"""A file in which a stage writes statistics of its table, for people and the dataset card."""
_MARKS_BYTES = (
    64 * 1024 * 1024
)  # Limit of the cached marks, which are long if there are many sources.
_NO_SEAL = b'""\n}'  # The end of a mark without a seal.


class FunnelStep(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one pipeline stage: objects received and left out, and rows written.

    `reasons` counts the objects that were left out, per reason, and `rows` the rows per table.
    `merged` counts objects that became part of another object's row. `key` is the digest of the
    stage's inputs and configuration.
    """

    stage: str
    received: int
    reasons: dict[str, int]
    rows: dict[str, int]
    key: str = ""
    merged: int = 0

    @property
    def kept(self) -> int:
        """The number of objects that were neither left out nor merged with another object."""
        return self.received - sum(self.reasons.values()) - self.merged


class StageMark(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `stage.json`: what a complete stage folder contains, and its origin.

    `key` is the digest of inputs and configuration. `objects` is the number of inputs. `rows`
    counts the rows per table, `reasons` the rejected objects per reason, and `merged` the objects
    that became part of another object's row. `sources` are the input files of the first stage, and
    `earlier` are the counts of earlier stages. `files` are the digests of the stage's files,
    `others` are the names of entries in the folder that do not belong to the stage, and `seal` is
    the digest of this record.
    """

    stage: str
    key: str
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int] = {}
    merged: int = 0
    sources: tuple[SourceFile, ...] = ()
    earlier: tuple[FunnelStep, ...] = ()
    files: tuple[SealedFile, ...] = ()
    others: tuple[str, ...] = ()
    seal: str = ""

    def funnel(self) -> tuple[FunnelStep, ...]:
        """Return the counts of all earlier stages and of this stage, in order."""
        step = FunnelStep(
            stage=self.stage,
            received=self.objects,
            reasons=self.reasons,
            rows=self.rows,
            key=self.key,
            merged=self.merged,
        )
        return (*self.earlier, step)


_marks: Decoded[StageMark] = Decoded(_MARKS_BYTES)


def write_mark(folder: Path, mark: StageMark) -> StageMark:
    """Write `stage.json` with the digests of the stage's files, and return this record.

    Everything in the folder, except `mark.others` and temporary files, belongs to the stage.
    """
    there = files_in(folder, apart=(STAGE_FILE, *mark.others))
    own = [path for path in there if not is_temporary(path.relative_to(folder))]
    files = seal_files(folder, own)
    mark = msgspec.structs.replace(mark, files=files, seal="")
    unsealed = _encode(mark)
    seal = hashlib.sha256(unsealed).hexdigest()
    content = _with_seal(unsealed, seal)
    write_file(folder / STAGE_FILE, content)
    return _verify(content, msgspec.structs.replace(mark, seal=seal))


def read_mark(folder: Path) -> StageMark | None:
    """Return the record of a stage without checking its files, or None if it is missing.

    Raises RunError if `stage.json` is damaged or is no file.
    """
    path = folder / STAGE_FILE
    kind = kind_of(path)
    if kind is None:
        return None
    if kind != "file":  # a pipe would never end
        raise RunError(f"{path} is a {kind}, not a file; remove it and run the stage again")
    try:
        content = path.read_bytes()
        if (cached_mark := _marks.find(content)) is not None:
            return cached_mark
        mark = msgspec.json.decode(content, type=StageMark)
    except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; remove the folder and run the stage again") from error
    unsealed = _encode(msgspec.structs.replace(mark, seal=""))
    seal = hashlib.sha256(unsealed).hexdigest()
    if mark.seal != seal or content != _with_seal(unsealed, seal):
        raise RunError(
            f"{path} was changed since it was written; {command_again(folder, mark.stage)}"
        )
    return _verify(content, mark)


def valid_mark(folder: Path) -> StageMark | None:
    """Return the record of a stage after checking its files, or None if it is missing.

    Every reader of a stage must call this first. Raises RunError if a file is missing, has changed
    or does not belong to the stage.
    """
    mark = read_mark(folder)
    if mark is None:
        return None
    for name, fault in changed_files(folder, mark.files):
        raise RunError(f"{folder / name}: {fault}; {command_again(folder, mark.stage)}")
    paths = [file.path for file in mark.files]
    for name, kind in unknown_entries(folder, paths, apart=(STAGE_FILE, *mark.others)):
        if is_temporary(Path(name)):
            continue
        do = f"move it away, or {command_again(folder, mark.stage)}"
        raise RunError(f"{folder / name} is a {kind} that '{mark.stage}' did not write; {do}")
    return mark


def _verify(content: bytes, mark: StageMark) -> StageMark:
    # Records with equal sources share one tuple of them.
    equal = (
        cached_mark.sources
        for cached_mark in _marks.values()
        if cached_mark.sources == mark.sources
    )
    mark = msgspec.structs.replace(mark, sources=next(equal, mark.sources))
    _marks.add(content, mark)
    return mark


def _encode(mark: StageMark) -> bytes:
    return msgspec.json.format(msgspec.json.encode(mark), indent=1)


def _with_seal(unsealed: bytes, seal: str) -> bytes:
    return unsealed.removesuffix(_NO_SEAL) + f'"{seal}"\n}}'.encode()
