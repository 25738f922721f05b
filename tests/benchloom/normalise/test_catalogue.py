"""Tests of the catalogue: precedence, merging, gaps and conflicts are independent of the order."""

import json
import random

import msgspec
import pytest

from benchloom.core.records import (
    ApiDefinition,
    DefinitionSource,
    Dependency,
    EnumValue,
    Note,
    Parameter,
    Summary,
)
from benchloom.normalise.definitions.catalogue import build_catalogue, version_numbers
from benchloom.normalise.definitions.control_definitions import control_definitions
from tests.support.samples.api_definitions import api_definition

API = "org.example.tea.SteepIntent"
MINUTES = Parameter(name="minutes", type="Integer", type_kind="primitive", title="minutes")
LEAF = Parameter(name="leaf", type="Leaf", type_kind="enum")


def definition(
    kind: str,
    uri: str,
    *parameters: Parameter,
    part: str = "main",
    version: str | None = None,
    locale: str | None = None,
    app: str | None = "org.example.tea",
    **fields: object,
) -> ApiDefinition:
    """Return a definition of `API` from one source."""
    source = DefinitionSource(kind, uri, f"file:{uri}", version, part, locale)
    return api_definition(
        API,
        *parameters,
        app=app,
        source_kind=kind,
        source_uri=uri,
        source_digest=f"file:{uri}",
        app_version=version,
        sources=(source,),
        **fields,
    )


TOOLKIT = definition("toolkit", "a.sqlite", MINUTES, LEAF, title="Steep")
METADATA = definition(
    "appintents",
    "b.actionsdata",
    msgspec.structs.replace(MINUTES, title="Minutes", default="3"),
    msgspec.structs.replace(LEAF, enum_values=(EnumValue("green"),)),
    title="Steep Tea",
    description="Steeps tea.",
    summaries=(Summary("Steep for ${minutes}", ("minutes",)), Summary("Pour ${milk}", ("milk",))),
    notes=(Note("phrase", "Make tea"),),
)
WIDGET = definition("appintents", "w.actionsdata", MINUTES, part="widget", title="Steep Tea")
OLDER = definition("toolkit", "old.sqlite", MINUTES, version="15.4", title="Steep, older")
NEWER = definition("toolkit", "new.sqlite", MINUTES, version="26.1", title="Steep, newer")


def test_toolkit_wins_and_filled_gaps_record_their_origin() -> None:
    catalogue = build_catalogue([METADATA, TOOLKIT])
    (merged_definition,) = catalogue.definitions
    assert (
        merged_definition.source_kind,
        merged_definition.title,
        merged_definition.description,
    ) == ("toolkit", "Steep", "Steeps tea.")
    assert merged_definition.summaries == (METADATA.summaries[0],)
    assert [p.title for p in merged_definition.parameters] == ["Minutes", None]
    assert merged_definition.parameters[0].default is None
    assert merged_definition.parameters[1].enum_values == (EnumValue("green"),)
    assert {o.field for o in merged_definition.origins} == {
        "description",
        "summaries",
        "notes.phrase",
        "parameters.minutes.title",
        "parameters.leaf.enum_values",
    }
    assert {(o.source_kind, o.source_uri) for o in merged_definition.origins} == {
        ("appintents", "b.actionsdata")
    }
    assert [s.source_uri for s in merged_definition.sources] == ["a.sqlite", "b.actionsdata"]


def test_enum_gets_the_values_named_by_the_newer_definition() -> None:
    leaf = msgspec.structs.replace(LEAF, default='"black"')
    milk = Parameter(
        name="milk",
        type="Boolean",
        type_kind="primitive",
        depends_on=(Dependency("leaf", "==", ('"white"', '"green"')),),
    )
    newer = definition("toolkit", "a.sqlite", leaf, milk)
    (merged_definition,) = build_catalogue([newer, METADATA]).definitions
    assert [v.value for v in merged_definition.parameters[0].enum_values] == [
        "green",
        "black",
        "white",
    ]


def test_discarded_value_is_a_conflict() -> None:
    conflicts = {c.field: c for c in build_catalogue([METADATA, TOOLKIT]).conflicts}
    assert set(conflicts) == {"title", "parameters.minutes.default", "summaries"}
    title = conflicts["title"]
    assert (title.kept, title.lost, title.source, title.kept_source) == (
        '"Steep"',
        '"Steep Tea"',
        "b.actionsdata",
        "a.sqlite",
    )
    assert conflicts["parameters.minutes.default"].lost == '"3"'
    assert json.loads(conflicts["summaries"].lost or "")[0]["template"] == "Pour ${milk}"


@pytest.mark.parametrize(
    ("pair", "winner"),
    [
        ((OLDER, NEWER), "new.sqlite"),
        ((WIDGET, METADATA), "b.actionsdata"),
        ((TOOLKIT, NEWER), "new.sqlite"),
        ((definition("wfactions", "x"), definition("sirikit", "y", title="T")), "y"),
        ((definition("sgd", "x", title="A"), definition("wfactions", "y")), "y"),
        ((definition("benchloom", "x", title="A"), definition("sgd", "y")), "y"),
    ],
)
def test_definition_of_the_best_source_wins(
    pair: tuple[ApiDefinition, ApiDefinition], winner: str
) -> None:
    for order in (pair, pair[::-1]):
        assert build_catalogue(order).definitions[0].source_uri == winner


def test_catalogue_is_independent_of_the_order() -> None:
    definitions = [TOOLKIT, METADATA, WIDGET, OLDER, NEWER, *control_definitions()]
    expected = build_catalogue(definitions)
    chance = random.Random(3)
    for _ in range(10):
        chance.shuffle(definitions)
        assert build_catalogue(definitions) == expected


def test_equal_definitions_are_merged_with_all_sources() -> None:
    copy = definition("toolkit", "copy.sqlite", MINUTES, LEAF, title="Steep", part="plugin")
    assert copy.definition_id == TOOLKIT.definition_id
    catalogue = build_catalogue([copy, TOOLKIT])
    (merged_definition,) = catalogue.definitions
    assert catalogue.conflicts == ()
    assert [s.source_uri for s in merged_definition.sources] == ["a.sqlite", "copy.sqlite"]
    assert catalogue.merged == 1


def test_localised_copy_loses_without_a_conflict() -> None:
    german = definition("sirikit", "de", MINUTES, title="Ziehen", locale="de")
    base = definition("sirikit", "zz-base", MINUTES, title="Steep")
    catalogue = build_catalogue([german, base])
    assert catalogue.definitions[0].title == "Steep"
    assert catalogue.conflicts == ()


def test_different_definitions_without_an_app_stay_separate() -> None:
    first_definition = definition("sirikit", "one", MINUTES, app=None)
    other = definition("sirikit", "other", LEAF, app=None)
    equal_definition = definition("sirikit", "again", LEAF, app=None)
    catalogue = build_catalogue([first_definition, other, equal_definition])
    assert sorted(len(d.sources) for d in catalogue.definitions) == [1, 2]
    assert catalogue.conflicts == ()


def test_versions_compare_by_their_numbers() -> None:
    ordered = ["26.10", "26.9", "15.4", "v9", None]
    numbers = [version_numbers(version) for version in ordered]
    assert numbers == sorted(numbers, reverse=True)


def test_control_definitions_have_source_kind_benchloom() -> None:
    control = control_definitions()
    assert [d.api.rsplit("actions.", 1)[1] for d in control] == [
        "conditional",
        "choosefrommenu",
        "repeat.count",
        "repeat.each",
    ]
    assert {d.source_kind for d in control} == {"benchloom"}
    assert all(d.sources and d.definition_id.startswith("api:") for d in control)
