"""Check every definition format through one suite, with a hand-made sample of each format."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec
import pytest
from jsonschema import Draft202012Validator

from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition, sealed
from benchloom.exchange.definition_schema import definition_schema
from benchloom.exchange.examples.tools import function_name, tool_of
from parsers.definitions import (
    DEFINITION_FORMATS,
    DefinitionContext,
    ParsedDefinitions,
    parse_definitions,
)
from parsers.errors import ParseError
from tests.support.samples.definitions import sample

TYPE_KINDS = {"primitive", "enum", "object", "file", "measurement", "entity", "array"}
RELATIONS = {
    "==", "!=", ">", ">=", "<", "<=", "contains", "does_not_contain", "has_value", "has_no_value",
}  # fmt: skip


class Case(NamedTuple):
    """A format's name and its sample: a file name, and the bytes of at least two definitions."""

    kind: str
    name: str
    data: bytes

    def parse(self, data: bytes | None = None) -> ParsedDefinitions:
        context = DefinitionContext(
            self.name, app="org.example.sample", app_version="1.2", part="main"
        )
        return parse_definitions(self.data if data is None else data, context)


def recognises_its_sample_first(case: Case) -> None:
    members = DEFINITION_FORMATS.all().values()
    first = next(member for member in members if member.recognises(case.name, case.data))
    assert first.source_kind == case.kind


def names_its_source(case: Case) -> None:
    kind, name, data = case
    definitions = case.parse().definitions
    assert len(definitions) >= 2
    for definition in definitions:
        assert definition.source_kind == kind
        assert definition.source_uri == name
        assert definition.source_digest == tagged_digest("file", data)
        (source,) = definition.sources
        assert (source.source_kind, source.source_uri, source.part) == (kind, name, "main")
        assert definition.definition_id == sealed(definition).definition_id


def gives_ids_that_depend_on_content_only(case: Case) -> None:
    _, name, data = case
    elsewhere = DefinitionContext(f"far/away/{name}", app="org.example.sample", app_version="9")
    ids = [d.definition_id for d in case.parse().definitions]
    assert [d.definition_id for d in parse_definitions(data, elsewhere).definitions] == ids
    assert len(set(ids)) == len(ids)


def gives_json_values_of_declared_type_kinds(case: Case) -> None:
    for parameter in (p for d in case.parse().definitions for p in d.parameters):
        assert parameter.type_kind in TYPE_KINDS
        if parameter.default is not None:
            msgspec.json.decode(parameter.default)
        for condition in parameter.depends_on:
            assert condition.relation in RELATIONS
            for value in condition.values:
                msgspec.json.decode(value)


def gives_records_that_round_trip_through_json(case: Case) -> None:
    for definition in case.parse().definitions:
        encoded = msgspec.json.encode(definition)
        assert msgspec.json.decode(encoded, type=ApiDefinition) == definition


def has_valid_schemas(case: Case) -> None:
    for definition in case.parse().definitions:
        schema = definition_schema(definition)
        Draft202012Validator.check_schema(schema)
        tool = tool_of(definition, function_name(definition.app, definition.api))
        Draft202012Validator.check_schema(tool.parameters)
        assert 0 < len(tool.name) <= 64
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


def refuses_truncated_data_with_a_reason(case: Case) -> None:
    data = case.data
    for length in range(0, len(data), max(1, len(data) // 60)):
        try:
            parsed = case.parse(data[:length])
        except ParseError:
            continue
        assert all(problem.reason for problem in parsed.problems)


def refuses_damaged_data_with_a_reason(case: Case) -> None:
    data = case.data
    chance = random.Random(7)
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        with suppress(ParseError):
            parsed = case.parse(bytes(damaged))
            assert all(problem.reason for problem in parsed.problems)


SUITE = (
    recognises_its_sample_first,
    names_its_source,
    gives_ids_that_depend_on_content_only,
    gives_json_values_of_declared_type_kinds,
    gives_records_that_round_trip_through_json,
    has_valid_schemas,
    refuses_truncated_data_with_a_reason,
    refuses_damaged_data_with_a_reason,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("kind", DEFINITION_FORMATS.names())
def test_contract(kind: str, claim: Callable[[Case], None]) -> None:
    claim(Case(kind, *sample(kind)))


def test_samples_cover_defaults_lists_enums_conditions_and_summaries() -> None:
    cases = [Case(kind, *sample(kind)) for kind in DEFINITION_FORMATS.names()]
    definitions = [definition for case in cases for definition in case.parse().definitions]
    parameters = [p for definition in definitions for p in definition.parameters]
    assert any(p.default in ("false", "0") for p in parameters), "falsy defaults are real"
    assert any(p.multiple for p in parameters)
    assert any(p.type_kind == "enum" and p.enum_values for p in parameters)
    assert any(p.depends_on for p in parameters)
    assert any(d.summaries for d in definitions)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"../Shared/Base.lproj/Intents.intentdefinition", "symlink_stub"),
        (b"Intents.intentdefinition\n", "symlink_stub"),
        (b"just some words that are no definition at all <>", "not_a_definition"),
    ],
)
def test_other_files_are_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("some.bin"))
    assert caught.value.reason == reason
