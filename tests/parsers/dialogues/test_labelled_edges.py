"""Edges read by hand in real dialogues: at least 0.98 of ours are right, 0.95 of theirs found."""

import zipfile
from pathlib import Path

import pytest

from benchloom.core.records import PlanningPath
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.sgd.schema import read_schema
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
LABELS = Path(__file__).parents[2] / "data" / "sgd" / "labelled_edges.txt"


def labelled() -> dict[str, set[str]]:
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    return {
        line.split()[0]: set(line.split()[1:])
        for line in lines
        if line and not line.startswith("#")
    }


def converted(names: set[str]) -> dict[str, set[str]]:
    """The edges of some dialogues of the real archive."""
    found: dict[str, set[str]] = {}
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        root = "dstc8-schema-guided-dialogue"
        for split in ("train", "dev", "test"):
            converter = Converter(
                read_schema(archive.read(f"{root}/{split}/schema.json")), "flow", split
            )
            for member in archive.namelist():
                if f"/{split}/dialogues_" not in member:
                    continue
                for row in converter.convert(archive.read(member), member):
                    assert isinstance(row, PlanningPath)
                    name = f"{split}/{row.source_id}"
                    if name in names:
                        found[name] = {
                            f"{e.from_step}.{e.output}>{e.to_step}.{e.argument}" for e in row.edges
                        }
    return found


def test_precision_and_recall() -> None:
    wanted = labelled()
    assert len(wanted) >= 60
    found = converted(set(wanted))
    assert found.keys() == wanted.keys()
    right = sum(len(wanted[name] & found[name]) for name in wanted)
    assert right >= 0.98 * sum(map(len, found.values()))
    assert right >= 0.95 * sum(map(len, wanted.values()))
