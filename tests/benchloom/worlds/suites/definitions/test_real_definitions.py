"""Check that every real definition is callable as declared and has the right verb."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition
from benchloom.storage.tables import records_in
from benchloom.worlds.offers import offer_of
from benchloom.worlds.proofs import OpenWorlds, prove
from benchloom.worlds.session import Session
from benchloom.worlds.suites.definitions.methods import entity_of, is_query
from benchloom.worlds.suites.definitions.requests.candidates import candidates_of
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.verbs import verb_of
from benchloom.worlds.suites.definitions.world import starts_of, world
from flows.run.runner import run_whole
from flows.stages.definitions.parse import prepare_catalogue
from tests.benchloom.worlds.suites.definitions.support import check_declared
from tests.support.shared_data import shared_file

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

pytestmark = pytest.mark.real_data
LABELS = Path(__file__).parents[4] / "data" / "worlds" / "definition_verbs.txt"


@pytest.fixture(scope="module")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> list[ApiDefinition]:
    folder = tmp_path_factory.mktemp("definitions") / "parsed"
    files = [shared_file("api_definitions.zip"), shared_file("toolkit_ios26.zip")]
    run_whole(prepare_catalogue(files, workers=2), folder)
    path = folder / "api_definitions.parquet"
    return list(records_in(path, "api_definitions", ApiDefinition, data=path.read_bytes()))


@pytest.fixture(scope="module")
def starts(definitions: list[ApiDefinition]) -> dict[str, str]:
    return dict(starts_of(definitions))


def test_every_api_is_callable_with_declared_parameters_only(
    definitions: list[ApiDefinition], starts: dict[str, str]
) -> None:
    refusals: Counter[str | None] = Counter()
    parameters = 0
    for start in starts.values():
        app = world(start)
        assert len(offer_of(app).tools) == len(app.tools)
        parameters += check_declared(app)
        with Session(app) as session:
            for name, tool in app.tools.items():
                assert isinstance(tool, DefinedTool)
                with session.trial():
                    refusals[session.call(name, _arguments(tool, session)).refused] += 1
    assert parameters == sum(len(definition.parameters) for definition in definitions)
    # Four APIs take a value only with a case that their definitions do not list.
    assert refusals == {None: len(definitions) - 4, "invalid_argument": 4}
    assert len(definitions) == 1282


def _arguments(tool: DefinedTool, session: Session) -> "dict[str, Plain]":
    """Return the required arguments and a value for the first property of a change."""
    method, schema = tool.method, tool.schema()
    names = set(schema["required"])
    if method.verb in {"delete", "toggle", "update"} and not method.stub:
        names |= {method.target} - {""} | {p.name for p in method.properties[:1]}
    return {name: _value(tool, name, schema["properties"][name], session) for name in names}


def _value(tool: DefinedTool, name: str, schema: "dict[str, Plain]", session: Session) -> "Plain":
    parameter = next(p for p in tool.method.definition.parameters if p.name == name)
    if schema.get("type") == "array":
        items = schema.get("items")
        return [_value(tool, name, items if isinstance(items, dict) else {}, session)]
    entity = tool.entities.get(entity_of(parameter))
    if entity is not None and not is_query(parameter):
        row = entity.rows(session._state)[0]
        return row["id" if entity.is_findable else "name"]
    if isinstance(schema.get("enum"), list):
        return parameter.enum_values[0].value
    by_type: dict[str, Plain] = {
        "Date": "2027-03-20T10:00",
        "DateComponents": "2027-03-20",
        "URL": "https://brisk.example",
    }
    by_schema: dict[str, Plain] = {"boolean": True, "integer": 1, "number": 1, "object": {}}
    kind = schema.get("type")
    first = kind[0] if isinstance(kind, list) else kind
    return by_type.get(parameter.type, by_schema.get(str(first), "x"))


@pytest.mark.parametrize(("half", "min_right"), [("seen", 0.95), ("unseen", 0.92)])
def test_most_verbs_match_labels_from_people(
    definitions: list[ApiDefinition], half: str, min_right: float
) -> None:
    by_api = {definition.api: definition for definition in reversed(definitions)}
    lines = [line.split() for line in LABELS.read_text().splitlines() if line[0] != "#"]
    labels = [(verb, verb_of(by_api[api]) or "stub") for verb, of, api in lines if of == half]
    assert len(labels) >= 75
    assert sum(label == verb for label, verb in labels) >= min_right * len(labels)


def test_most_generated_tasks_pass_the_proofs(starts: dict[str, str]) -> None:
    open_worlds = OpenWorlds()
    proved = 0
    sample = list(islice(candidates_of(starts, "definitions", 7), 120))
    for candidate in sample:
        try:
            prove(candidate, open_worlds)
        except RejectedInputError as error:
            assert error.reason in {"redundant_call", "no_need"}
        else:
            proved += 1
    open_worlds.close()
    assert proved > 0.8 * len(sample)
