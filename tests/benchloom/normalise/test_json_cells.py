"""Tests of JSON cells: redaction changes single values, so the document stays valid JSON."""

from random import Random
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.json_cells import REDACTED_NUMBER, is_json, redact_json
from benchloom.normalise.redaction.tables import json_texts, redact_rows
from benchloom.normalise.redaction.texts import scan_text
from benchloom.storage.tables import load_table, table_names

MAIL = "mira.holt" + "@" + "nordhafen-post.de"
CARD = "4539148803436" + "467"
COORDINATES = "[52.520817, 13.409419]"


def shape(value: object) -> object:
    """Return the keys and value types of a JSON document, without its values."""
    if isinstance(value, dict):
        return {"of": sorted(value), "values": [shape(value[key]) for key in sorted(value)]}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return type(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COORDINATES, "[-0.0, -0.0]"),
        (f'{{"point":{COORDINATES}}}', '{"point":[-0.0, -0.0]}'),
        (f"[{COORDINATES},[0.5,1]]", "[[-0.0, -0.0],[0.5,1]]"),
        ('{"latitude":52.520817,"n":3}', '{"latitude":-0.0,"n":3}'),
        (CARD, "-0"),
        (f'"{CARD}"', '"[redacted:payment_card]"'),
        (f'{{"to":["{MAIL}"]}}', '{"to":["[redacted:email]"]}'),
        (f'{{"{MAIL}":1}}', '{"[redacted:email]":1}'),
        ('{"password":"Hq7!mmPz2","ok":true}', '{"password":"[redacted:password]","ok":true}'),
        ('"no secret"', '"no secret"'),
        ("[]", "[]"),
        ("0", "0"),
    ],
)
def test_redacted_document_keeps_its_shape(text: str, expected: str) -> None:
    assert CellRedactor().json(text)[0] == expected
    assert CellRedactor().json(expected) == (expected, ())


def test_redacted_number_is_a_number_in_json_and_text_elsewhere() -> None:
    assert CellRedactor().json(CARD)[0] == "-0"
    assert CellRedactor().plain(CARD)[0] == "[redacted:payment_card]"


def test_keys_redacted_to_the_same_text_stay_distinct() -> None:
    text = msgspec.json.encode({MAIL: 1, "b" + MAIL: 2, "[redacted:email]": 3}).decode()
    redacted_fields = msgspec.json.decode(CellRedactor().json(text)[0])
    assert sorted(redacted_fields.values()) == [1, 2, 3]
    assert MAIL not in str(redacted_fields)


def test_redacted_number_pattern_matches_no_other_number() -> None:
    assert REDACTED_NUMBER.findall("[-0, -0.0,-0]") == ["-0", "-0.0", "-0"]
    assert not REDACTED_NUMBER.findall("[0, -0.5, 1e-0, 10.0, -01]")


@pytest.mark.parametrize("text", ["[[redacted:x]]", "", "nul", "[" * 5000, "{'a': 1}"])
def test_text_that_is_not_json_is_unchanged(text: str) -> None:
    assert not is_json(text)
    assert CellRedactor().json(text)[0] == text


def test_random_documents_keep_their_shape_when_redacted() -> None:
    chance = Random(38)
    values: list[Any] = [
        MAIL, 52.520817, 13.409419, int(CARD), CARD, True, None, "a\nb", 'He said "no"',
        "\\" + MAIL, "token=" + "f3" * 16, 12, "+49 30 901820", -7.25, "",
    ]  # fmt: skip
    names = ["lat", "password", "a b", MAIL, "token", "x"]

    def any_value(depth: int) -> object:
        """Return a random JSON value, nested at most `depth` levels."""
        roll = chance.random()
        if depth and roll < 0.3:
            return [any_value(depth - 1) for _ in range(chance.randint(0, 4))]
        if depth and roll < 0.6:
            keys = chance.sample(names, chance.randint(0, 4))
            return {key: any_value(depth - 1) for key in keys}
        return chance.choice(values)

    for _ in range(600):
        value = any_value(4)
        text = msgspec.json.encode(value).decode()
        redacted_text, kinds = redact_json(text, scan_text)
        assert MAIL not in redacted_text
        assert CARD not in redacted_text
        redacted_value = msgspec.json.decode(redacted_text)
        if MAIL not in str(value) or "@" not in str(redacted_value):
            renamed = text.replace(MAIL + '":', '[redacted:email]":')
            assert shape(redacted_value) == shape(msgspec.json.decode(renamed))
        assert redact_json(redacted_text, scan_text) == (redacted_text, ())
        assert bool(kinds) == (redacted_text != text)


def test_is_json_flag_decides_how_a_value_is_redacted() -> None:
    table = load_table("planning_paths")
    arguments = [
        {"name": "a", "kind": "literal", "value": CARD, "from_step": None, "output": None,
         "provenance": "name", "turn": None, "is_json": flag}
        for flag in (True, False)
    ]  # fmt: skip
    step = {"index": 0, "app": "", "api": "x", "arguments": arguments, "returns": [],
            "outcome": "ok", "definition_id": "api:sha256:0"}  # fmt: skip
    column = table.column("steps")
    assert column is not None
    rows = pa.table({"steps": pa.array([[step]], column.arrow_type())})
    assert json_texts(rows, table, "steps.arguments.value") == [CARD]
    only = msgspec.structs.replace(table, columns=(column,))
    (row,) = redact_rows(rows, only, CellRedactor()).to_pylist()
    redacted_values = [argument["value"] for argument in row["steps"][0]["arguments"]]
    assert redacted_values == ["-0", "[redacted:payment_card]"]


def test_columns_described_as_json_are_declared_as_json() -> None:
    for name in table_names():
        table = load_table(name)
        claimed = set(table.json_columns())
        described = {
            path
            for path, column in table.text_columns().items()
            if "JSON" in column.description and "hexadecimal" not in column.description
        }
        assert described <= claimed, name
