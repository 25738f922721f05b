"""Store the initial states of worlds, which are read from a user's files, in a workspace.

The folder `worlds/<suite>` contains `starts.jsonl`, with a line for each initial state, and
`rejected.json`, with the faults of the files. The folder is written and checked like the output of
a pipeline stage.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.identity import digest_of_parts
from benchloom.storage.inputs import list_objects, source_files
from benchloom.storage.workspace import WORLD, StageMark, stage_folder, valid_mark, write_mark
from benchloom.worlds.suites import SUITES

_REJECTED = "rejected.json"
_STARTS = "starts.jsonl"


def starts_folder(workspace: Path, suite: str) -> Path:
    """Return the folder of a workspace for the initial states of a suite."""
    return workspace / "worlds" / SUITES.spelt(suite)


def load_suite(
    suite: str, inputs: Sequence[Path], workspace: Path, tables: Sequence[Path] = ()
) -> StageMark:
    """Read the data of a suite from a user's files; store its initial states in the workspace.

    `tables` are the folders with the converted files, if the suite reads a table.

    Raises:
        RunError: the suite does not exist or needs no files, or the files contain no data for it.
    """
    member = SUITES.find(suite)
    if member.load is None:
        raise RunError(f"suite '{suite}' needs no data; there is nothing to load")
    stage = f"{WORLD}{SUITES.spelt(suite)}"
    sources = tuple(source_files(inputs))
    with ExitStack() as stack:
        objects = list_objects(tables or inputs, stack)
        loaded = member.load(objects)
    if not loaded.starts:
        faults = "; ".join(
            f"{location}: {fault}" for location, fault in sorted(loaded.rejected.items())
        )
        raise NothingReadError(
            f"{', '.join(map(str, inputs))}: contains no data of suite '{suite}'; pass its files"
            f"{f' ({faults[:500]})' if faults else ''}"
        )
    for start in loaded.starts.values():
        member.world(start)
    with stage_folder(starts_folder(workspace, suite), stage) as folder:
        lines = (msgspec.json.encode(named_start) for named_start in sorted(loaded.starts.items()))
        (folder / _STARTS).write_bytes(b"\n".join(lines))
        (folder / _REJECTED).write_bytes(msgspec.json.encode(loaded.rejected, order="sorted"))
        reasons = Counter(_reason(fault) for fault in loaded.rejected.values())
        mark = StageMark(
            stage=stage,
            key=digest_of_parts("stage", [stage, *(source.digest for source in sources)]),
            objects=len(sources) if tables else len(objects),
            rows={"starts": len(loaded.starts)},
            reasons=dict(sorted(reasons.items())),
            sources=sources,
        )
        return write_mark(folder, mark)


def loaded_starts(workspace: Path, suite: str) -> Mapping[str, str]:
    """Return a mapping from names to the loaded initial states of a suite; {} if there are none.

    Raises:
        RunError: the suite does not exist, or its folder was changed or damaged.
    """
    SUITES.find(suite)
    return stored_starts(starts_folder(workspace, suite))


def stored_starts(folder: Path) -> Mapping[str, str]:
    """Return a mapping from names to the initial states in a folder; {} if there are none.

    Raises:
        RunError: the folder was changed or damaged.
    """
    if valid_mark(folder) is None:
        return {}
    lines = (folder / _STARTS).read_bytes().split(b"\n")
    return dict(msgspec.json.decode(line, type=tuple[str, str]) for line in lines)


def _reason(fault: str) -> str:
    word = fault.partition(":")[0]
    return word if word.isidentifier() else "rejected"
