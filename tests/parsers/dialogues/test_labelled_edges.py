"""Check precision (0.98) and recall (0.95) of edges against labelled real dialogues."""

import zipfile
from pathlib import Path

import pytest

from benchloom.core.records import PlanningPath
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.sgd.schema import read_schema
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
LABELS = Path(__file__).parents[2] / "data" / "sgd" / "labelled_edges.txt"


def read_labels() -> dict[str, set[str]]:
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    return {
        line.split()[0]: set(line.split()[1:])
        for line in lines
        if line and not line.startswith("#")
    }


def convert_edges(names: set[str]) -> dict[str, set[str]]:
    """Return the edges of the named dialogues of the real archive."""
    edges_by_name: dict[str, set[str]] = {}
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
                        edges_by_name[name] = {
                            f"{e.from_step}.{e.output}>{e.to_step}.{e.argument}" for e in row.edges
                        }
    return edges_by_name


def test_edges_reach_precision_and_recall() -> None:
    labelled_edges = read_labels()
    assert len(labelled_edges) >= 60
    converted_edges = convert_edges(set(labelled_edges))
    assert converted_edges.keys() == labelled_edges.keys()
    right = sum(len(labelled_edges[name] & converted_edges[name]) for name in labelled_edges)
    assert right >= 0.98 * sum(map(len, converted_edges.values()))
    assert right >= 0.95 * sum(map(len, labelled_edges.values()))
