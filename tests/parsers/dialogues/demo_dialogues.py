"""The hand-written dialogues of the demo world, converted."""

from pathlib import Path

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Droppable, Mode
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.material import Refused
from parsers.dialogues.provenance.name_mode import published_apis
from parsers.dialogues.sgd.schema import Schema, read_schema

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"


def schema(split: str) -> Schema:
    return read_schema((DEMO / split / "schema.json").read_bytes())


def converter(split: str, mode: Mode, drop: tuple[Droppable, ...] = ()) -> Converter:
    return Converter(
        schema(split), mode, split, published_apis(schema(split), schema("test")), drop
    )


def demo_plans(mode: Mode, drop: tuple[Droppable, ...] = ()) -> dict[str, PlanningPath]:
    plans: dict[str, PlanningPath] = {}
    for split in ("train", "dev", "test"):
        for file in sorted((DEMO / split).glob("dialogues_*.json")):
            for row in converter(split, mode, drop).convert(file.read_bytes(), file.name):
                assert not isinstance(row, Refused), row
                plans[row.source_id] = row
    return plans
