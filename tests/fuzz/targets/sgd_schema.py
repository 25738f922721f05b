"""Fuzz SGD schemas and convert sound dialogues with each damaged schema."""

from functools import partial
from pathlib import Path

from benchloom.core.records import DefinitionSource, PlanningPath
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.sgd.schema import read_schema
from parsers.dialogues.sgd.services import definition_of
from tests.fuzz import Target
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_json

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"
WORDS = (b"{", b"}", b"[", b"]", b'"', b"null", b'"name": "city"', b'"intents": []', b'"dontcare"')
DIALOGUES = (DEMO / "train" / "dialogues_001.json").read_bytes()


def accepts(data: bytes) -> bool:
    """Return whether a file may be a schema."""
    return data.lstrip()[:1] == b"[" and b'"service_name"' in data


def seeds() -> list[bytes]:
    """Return the schemas of the demo."""
    return [path.read_bytes() for path in sorted(DEMO.glob("*/schema.json"))]


def read(data: bytes) -> int:
    """Return the number of definitions in a schema and of the plans made with it."""
    schema = read_schema(data)
    source = DefinitionSource("sgd", "schema.json", "file:sha256:0")
    rows = store_rows(
        "api_definitions",
        [definition_of(s, intent, source) for s in schema.services for intent in s.intents],
    )
    converted_rows = list(Converter(schema, "flow", "train").convert(DIALOGUES, "dialogues.json"))
    plans = [row for row in converted_rows if isinstance(row, PlanningPath)]
    return rows + store_rows("planning_paths", plans)


TARGET = Target("sgd-schema", seeds, read, partial(mutate_json, words=WORDS), accepts=accepts)
