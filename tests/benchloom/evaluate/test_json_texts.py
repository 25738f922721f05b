"""The JSON value in what a model wrote."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.json_texts import is_object, json_in

CALLS: Plain = [{"name": "book", "arguments": {"place": "it's [5] {x}", "n": 2}}]
TOLD = '[{"name": "book", "arguments": {"place": "it\'s [5] {x}", "n": 2}}]'


def is_list(value: Plain) -> bool:
    return isinstance(value, list)


PLAIN: st.SearchStrategy[Plain] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("[]{}'\",:\\ab \n`", max_size=6),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text("ab[}", max_size=2), one),
    max_leaves=6,
)


@pytest.mark.parametrize(
    "text",
    [
        TOLD,
        f"  {TOLD}\n",
        f"```json\n{TOLD}\n```",
        f"```\n{TOLD}```",
        f"```JSON {TOLD}```",
        f"json\n{TOLD}",
        f"The user's calls are:\n{TOLD}\nThat's it.",
        f"First [1] I think [], then {TOLD}",
        f"```json\n{TOLD}\n```\nWhere nothing fits I would write [].",
        f"```json\n[]\n``` was too short, so\n```json\n{TOLD}\n```",
        f"<think>maybe {TOLD} or [{{]</think>{TOLD}",
        f"A bracket [ that nothing closes, then {TOLD}",
        f"One }} that closes nothing, and {TOLD} ]",
        '[{"name": "book", "arguments": {"place": "it\'s [5] {x}", "n": 2,},},]',
        "[{'name': 'book', 'arguments': {'place': 'it\\'s [5] {x}', 'n': 2}}]",
        "Calls: [{'name': 'book', 'arguments': {'place': \"it's [5] {x}\", 'n': 2}}] as asked.",
    ],
)
def test_one_value_in_many_dresses(text: str) -> None:
    assert json_in(text, is_list) == CALLS


def test_of_several_the_last_that_is_wanted_counts() -> None:
    text = 'Either {"a": 1} or {"a": 2}, as in [3].'
    assert json_in(text) == [3]
    assert json_in(text, is_object) == {"a": 2}


def test_words_of_python_are_read() -> None:
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
def test_what_cannot_be_read_says_why(text: str, reason: str) -> None:
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
def test_hostile_texts_take_time_that_grows_with_their_length(unit: str) -> None:
    text = "go " + unit * (100_000 // len(unit))
    start = time.process_time()
    try:
        json_in(text, is_list)
    except RejectedInputError as error:
        assert error.reason
    assert time.process_time() - start < 0.8


@settings(max_examples=40, deadline=None)
@given(value=st.lists(PLAIN, max_size=3), before=st.sampled_from(["", "So: ", "Its [", "```\n"]))
def test_what_is_written_is_read(value: list[Plain], before: str) -> None:
    for text in (msgspec.json.encode(value).decode(), repr(value)):
        if "```" not in text:
            assert json_in(before + text, is_list) == value
