"""Check that `says` answers quickly and without an error for any text and value."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.language.statements import says
from prompts.subject import Value
from tests.support.soak import samples

_PIECES = st.sampled_from(
    [
        "7", ":30", "half", "past", "the", "3rd", "of", "May", "March", "to", "-", "/", "$", "a",
        "hundred", "and", ",", "two", "thousand", "point", "quarter", "pm", ".", "%", "no", "not",
        "dozen", "minutes", "one", "an", "hour", "\u00bd", "1/2", "9" * 30, "@", "://", "\u0663",
        "2024-02-30", "31.2.99", "99:99", "twenty", "first", "second", "'", "\ud800", "next",
    ]
)  # fmt: skip
_TEXTS = st.text() | st.lists(_PIECES).map(" ".join) | st.lists(_PIECES).map("".join)
_MAX_SECONDS = 3.0
"""Maximum CPU seconds for a text, many times the usual time of the longest texts."""


@given(_TEXTS, _TEXTS, _TEXTS)
@settings(max_examples=samples(80, 200), deadline=None)
def test_says_accepts_any_text_and_value(text: str, value: str, label: str) -> None:
    assert says(text, Value(value, label, (), label, label)) in {True, False}


@given(_TEXTS)
@settings(max_examples=samples(50, 100), deadline=None)
@pytest.mark.parametrize(
    "value",
    ["3", "-0.5", "True", "False", "dontcare", "2024-02-29", "19:30", "2024-02-29T19:30:00",
     "44 mg", "PT5M", "March 3", "Barba & Co.", "1e99", "9999999999999999", "0001-01-01"],
)  # fmt: skip
def test_says_accepts_any_text_for_each_kind_of_value(value: str, text: str) -> None:
    assert says(text, Value(value, "number_of_seats", label="seats")) in {True, False}


@pytest.mark.parametrize(
    "text",
    [
        "word " * 10_000,
        "9" * 100_000,
        "9 " * 10_000,
        "1." * 10_000,
        "1-" * 10_000,
        "March 1, " * 5_000,
        "the 3rd and " * 5_000,
        "one hundred and " * 5_000,
        "not " * 10_000,
        "a" * 100_000,
        "'" * 50_000,
        "a'" * 20_000,
        "-" * 50_000,
        "half past " * 5_000,
        "no free entry fee " * 3_000,
        "an hour and " * 5_000,
        "barba and " * 5_000,
        "March 1, the 3rd, free entry; " * 1_500,
        "1 " * 3 + "(" * 50_000,
        "\u0345" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_says_reads_long_texts_quickly(text: str) -> None:
    started = time.process_time()
    for value in ("3", "2024-03-09", "19:30", "Barba and Sons Company", "44 mg"):
        assert says(text, Value(value, "number_of_rooms")) in {True, False}
    assert says(text, Value("True", "free_entry")) in {True, False}
    assert time.process_time() - started < _MAX_SECONDS
