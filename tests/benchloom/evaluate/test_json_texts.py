"""Tests of finding the JSON value in the text that a model wrote."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.json_texts import is_object, json_in

CALLS: Plain = [{"name": "book", "arguments": {"place": "it's [5] {x}", "n": 2}}]
JSON_TEXT = '[{"name": "book", "arguments": {"place": "it\'s [5] {x}", "n": 2}}]'


def is_list(value: Plain) -> bool:
    return isinstance(value, list)


PLAIN: st.SearchStrategy[Plain] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("[]{}'\",:\\ab \n`", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab[}", max_size=2), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    "text",
    [
        JSON_TEXT,
        f"  {JSON_TEXT}\n",
        f"```json\n{JSON_TEXT}\n```",
        f"```\n{JSON_TEXT}```",
        f"```JSON {JSON_TEXT}```",
        f"json\n{JSON_TEXT}",
        f"The user's calls are:\n{JSON_TEXT}\nThat's it.",
        f"First [1] I think [], then {JSON_TEXT}",
        f"```json\n{JSON_TEXT}\n```\nWhere nothing fits I would write [].",
        f"```json\n[]\n``` was too short, so\n```json\n{JSON_TEXT}\n```",
        f"<think>maybe {JSON_TEXT} or [{{]</think>{JSON_TEXT}",
        f"A bracket [ that nothing closes, then {JSON_TEXT}",
        f"One }} that closes nothing, and {JSON_TEXT} ]",
        '[{"name": "book", "arguments": {"place": "it\'s [5] {x}", "n": 2,},},]',
        "[{'name': 'book', 'arguments': {'place': 'it\\'s [5] {x}', 'n': 2}}]",
        "Calls: [{'name': 'book', 'arguments': {'place': \"it's [5] {x}\", 'n': 2}}] as asked.",
    ],
)
def test_value_is_found_in_any_surrounding_text(text: str) -> None:
    assert json_in(text, is_list) == CALLS


def test_last_value_of_the_wanted_type_is_returned() -> None:
    text = 'Either {"a": 1} or {"a": 2}, as in [3].'
    assert json_in(text) == [3]
    assert json_in(text, is_object) == {"a": 2}


def test_python_literals_are_read() -> None:
    assert json_in("{'yes': True, 'none': None, 'pair': (1, 2)}") == {
        "yes": True,
        "none": None,
        "pair": [1, 2],
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_json"),
        ("nothing here", "no_json"),
        ('"a text"', "no_json"),
        ('[{"name": "book", "arguments": {"n": 1}', "unwanted"),
        ('[{"name": "book", ', "bad_json"),
        ("[see above]", "bad_json"),
        ("[NaN]", "bad_json"),
        ("[open('x')]", "bad_json"),
        ("[\ud800]", "bad_json"),
        ('{"a": 1}', "unwanted"),
        ("[" * 66 + "]" * 66, "too_deep"),
        ("[" * 5000 + "]" * 5000, "too_deep"),
        ("so: " + '[{"a":' * 5000 + "1" + "}]" * 5000, "too_deep"),
        ("[" + "1," * 600_000 + "1]", "too_large"),
    ],
)
def test_unreadable_text_is_rejected_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(RejectedInputError) as caught:
        json_in(text, is_list)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        "]",
        "[[]",
        "[{",
        "}]",
        '["',
        "['",
        '[",',
        ',\\"',
        "['\\",
        "```[",
        "```",
        "[']}",
        "[x]",
    ],
)
def test_hostile_text_is_read_within_a_second(unit: str) -> None:
    text = "go " + unit * (100_000 // len(unit))
    start = time.process_time()
    try:
        json_in(text, is_list)
    except RejectedInputError as error:
        assert error.reason
    assert time.process_time() - start < 0.8


@settings(max_examples=40, deadline=None)
@given(value=st.lists(PLAIN, max_size=3), before=st.sampled_from(["", "So: ", "Its [", "```\n"]))
def test_written_value_is_found_again(value: list[Plain], before: str) -> None:
    for text in (msgspec.json.encode(value).decode(), repr(value)):
        if "```" not in text:
            assert json_in(before + text, is_list) == value
