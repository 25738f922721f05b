"""SGD schemas, with the dialogues beside them converted under whatever they say by then."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from benchloom.core.records import DefinitionSource, PlanningPath
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.sgd.definitions import definition_of
from parsers.dialogues.sgd.schema import read_schema
from tests.fuzz import Target
from tests.fuzz.mutations import mutated
from tests.fuzz.rows import stored
from tests.fuzz.trees import mutated_tree

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"
WORDS = (b"{", b"}", b"[", b"]", b'"', b"null", b'"name": "city"', b'"intents": []', b'"dontcare"')
DIALOGUES = (DEMO / "train" / "dialogues_001.json").read_bytes()


def accepts(data: bytes) -> bool:
    """Whether a file may be a schema."""
    return data.lstrip()[:1] == b"[" and b'"service_name"' in data


def seeds() -> list[bytes]:
    """Those of the demo."""
    return [path.read_bytes() for path in sorted(DEMO.glob("*/schema.json"))]


def read(data: bytes) -> int:
    """The definitions of a schema, and the plans it allows."""
    schema = read_schema(data)
    source = DefinitionSource("sgd", "schema.json", "file:sha256:0")
    rows = stored(
        "api_definitions",
        [definition_of(s, intent, source) for s in schema.services for intent in s.intents],
    )
    converted_rows = list(Converter(schema, "flow", "train").convert(DIALOGUES, "dialogues.json"))
    plans = [row for row in converted_rows if isinstance(row, PlanningPath)]
    return rows + stored("planning_paths", plans)


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Half of the mutants are sound JSON that holds something odd."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            tree = mutated_tree(chance, json.loads(chance.choice(files)), property_list=False)
            return json.dumps(tree).encode()
    return mutated(chance, files, WORDS)


TARGET = Target("sgd-schema", seeds, read, mutate, accepts=accepts)
