"""Every definition format through one suite; each must bring a hand-made sample."""

import random
from contextlib import suppress

import msgspec
import pytest
from jsonschema import Draft202012Validator

from benchloom.identity import tagged_digest
from benchloom.records import ApiDefinition, sealed
from benchloom.rendering import definition_schema, definition_text, openai_tool
from parsers.definitions import (
    DEFINITION_FORMATS,
    DefinitionContext,
    ParsedDefinitions,
    parse_definitions,
)
from parsers.errors import ParseError
from tests.definition_samples import sample

KINDS = sorted(DEFINITION_FORMATS.all())
TYPE_KINDS = {"primitive", "enum", "object", "file", "measurement", "entity", "array"}
RELATIONS = {
    "==", "!=", ">", ">=", "<", "<=", "contains", "does_not_contain", "has_value", "has_no_value",
}  # fmt: skip


def parse(kind: str, data: bytes | None = None) -> ParsedDefinitions:
    name, original = sample(kind)
    context = DefinitionContext(name, app="org.example.sample", app_version="1.2", part="main")
    return parse_definitions(original if data is None else data, context)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def definitions(kind: str) -> tuple[ApiDefinition, ...]:
    return parse(kind).definitions


def test_the_four_formats_are_members() -> None:
    assert KINDS == ["appintents", "sirikit", "toolkit", "wfactions"]


def test_sample_is_recognised_by_its_own_format_first(kind: str) -> None:
    name, data = sample(kind)
    first = next(m for m in DEFINITION_FORMATS.all().values() if m.recognises(name, data))
    assert first.source_kind == kind


def test_definitions_name_their_source(kind: str, definitions: tuple[ApiDefinition, ...]) -> None:
    name, data = sample(kind)
    assert len(definitions) >= 2
    for definition in definitions:
        assert definition.source_kind == kind
        assert definition.source_uri == name
        assert definition.source_digest == tagged_digest("file", data)
        (source,) = definition.sources
        assert (source.source_kind, source.source_uri, source.part) == (kind, name, "main")
        assert definition.definition_id == sealed(definition).definition_id


def test_id_is_of_the_content_alone(kind: str) -> None:
    name, data = sample(kind)
    elsewhere = DefinitionContext(f"far/away/{name}", app="org.example.sample", app_version="9")
    ids = [d.definition_id for d in parse(kind).definitions]
    assert [d.definition_id for d in parse_definitions(data, elsewhere).definitions] == ids
    assert len(set(ids)) == len(ids)


def test_values_are_json_and_kinds_are_known(definitions: tuple[ApiDefinition, ...]) -> None:
    parameters = [p for definition in definitions for p in definition.parameters]
    assert any(p.default in ("false", "0") for p in parameters), "falsy defaults are real"
    for parameter in parameters:
        assert parameter.type_kind in TYPE_KINDS
        if parameter.default is not None:
            msgspec.json.decode(parameter.default)
        for condition in parameter.depends_on:
            assert condition.relation in RELATIONS
            for value in condition.values:
                msgspec.json.decode(value)
    assert any(p.depends_on for p in parameters) or definitions[0].source_kind == "appintents"
    assert any(p.multiple for p in parameters)
    assert any(p.type_kind == "enum" and p.enum_values for p in parameters)
    assert any(d.summaries for d in definitions) or definitions[0].source_kind == "toolkit"


def test_records_survive_the_table(definitions: tuple[ApiDefinition, ...]) -> None:
    for definition in definitions:
        encoded = msgspec.json.encode(definition)
        assert msgspec.json.decode(encoded, type=ApiDefinition) == definition


def test_schema_is_valid_under_the_meta_schema(definitions: tuple[ApiDefinition, ...]) -> None:
    for definition in definitions:
        schema = definition_schema(definition)
        Draft202012Validator.check_schema(schema)
        tool = openai_tool(definition)
        function = tool["function"]
        assert isinstance(function, dict)
        assert len(function["name"]) <= 64
        defaults = {
            p.name: msgspec.json.decode(p.default)
            for p in definition.parameters
            if p.default is not None and not p.multiple
        }
        validator = Draft202012Validator(schema)
        faults = [
            e for e in validator.iter_errors(defaults) if "required" not in str(e.schema_path)
        ]
        assert not faults, f"{definition.api}: a default breaks its own schema: {faults}"


def test_text_names_every_parameter(definitions: tuple[ApiDefinition, ...]) -> None:
    for definition in definitions:
        text = definition_text(definition)
        assert text.startswith(f"{definition.api}(")
        for parameter in definition.parameters:
            assert f"{parameter.name}" in text


def test_every_cut_ends_in_a_typed_fault(kind: str) -> None:
    _, data = sample(kind)
    for length in range(0, len(data), max(1, len(data) // 60)):
        try:
            parsed = parse(kind, data[:length])
        except ParseError:
            continue
        assert all(problem.reason for problem in parsed.problems)


def test_damaged_bytes_end_in_a_typed_fault(kind: str) -> None:
    _, data = sample(kind)
    chance = random.Random(7)
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with suppress(ParseError):
            parsed = parse(kind, bytes(damaged))
            assert all(problem.reason for problem in parsed.problems)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"../Shared/Base.lproj/Intents.intentdefinition", "symlink_stub"),
        (b"Intents.intentdefinition\n", "symlink_stub"),
        (b"just some words that are no definition at all <>", "not_a_definition"),
    ],
)
def test_what_is_no_definition_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("some.bin"))
    assert caught.value.reason == reason
