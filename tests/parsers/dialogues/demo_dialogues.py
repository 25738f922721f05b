"""Conversion of the demo's hand-written dialogues."""

from pathlib import Path

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Droppable, Mode
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.material import Refused
from parsers.dialogues.provenance.name_mode import published_apis
from parsers.dialogues.sgd.schema import Schema, read_schema

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"


def read_split_schema(split: str) -> Schema:
    return read_schema((DEMO / split / "schema.json").read_bytes())


def make_converter(split: str, mode: Mode, drop: tuple[Droppable, ...] = ()) -> Converter:
    return Converter(
        read_split_schema(split),
        mode,
        split,
        published_apis(read_split_schema(split), read_split_schema("test")),
        drop,
    )


def convert_demo(mode: Mode, drop: tuple[Droppable, ...] = ()) -> dict[str, PlanningPath]:
    plans: dict[str, PlanningPath] = {}
    for split in ("train", "dev", "test"):
        for file in sorted((DEMO / split).glob("dialogues_*.json")):
            for row in make_converter(split, mode, drop).convert(file.read_bytes(), file.name):
                assert not isinstance(row, Refused), row
                plans[row.source_id] = row
    return plans
