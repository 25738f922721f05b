"""Read the content of a board, which is the summaries and audits in result folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.evaluate.audit.report import Audit
from benchloom.evaluate.scoring import Summary

SUMMARY = "summary.json"
AUDIT = "audit.json"
T = TypeVar("T")


class Scored(msgspec.Struct, frozen=True):
    """The scoring in a result folder; `name` is the scored model, or else the folder's name."""

    name: str
    folder: Path
    summary: Summary


class ResultSet(msgspec.Struct, frozen=True):
    """All scorings and audits in some folders, in the order of the folders."""

    scored: tuple[Scored, ...]
    audits: tuple[Audit, ...]


def read_results(folders: Sequence[Path]) -> ResultSet:
    """Read the scorings and audits in folders and their subfolders.

    Raises RunError if a folder contains no result, or a result that cannot be read.
    """
    scored: list[Scored] = []
    audits: list[Audit] = []
    for folder in folders:
        if not folder.exists():
            raise RunError(f"{folder}: no such folder; check the spelling")
        count = len(scored) + len(audits)
        for result_folder in sorted({file.parent for file in folder.rglob("*.json")}):
            if (result_folder / SUMMARY).is_file():
                summary = _read(result_folder / SUMMARY, Summary)
                scored.append(Scored(summary.model or result_folder.name, result_folder, summary))
            if (result_folder / AUDIT).is_file():
                audits.append(_read(result_folder / AUDIT, Audit))
        if len(scored) + len(audits) == count:
            raise NothingReadError(
                f"{folder} contains no evaluation: expected {SUMMARY} or {AUDIT}. "
                "Pass the --out folder of 'benchloom evaluate'."
            )
    return ResultSet(tuple(scored), tuple(audits))


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise RunError(f"{path}: {error}") from error
