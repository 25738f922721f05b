"""Tests of calls written as text: they are read back, and common mistakes are tolerated."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, Plain
from benchloom.exchange.formats.api_bank.call_text import TextCall, read_calls, write_calls
from tests.benchloom.exchange.examples.strategies import NAMES, PLAIN
from tests.support.soak import samples

ARGUMENTS = st.dictionaries(NAMES, PLAIN, max_size=4)
CALLS = st.lists(
    st.builds(lambda api, arguments: TextCall(api, tuple(arguments.items())), NAMES, ARGUMENTS),
    min_size=1,
    max_size=3,
)


@settings(max_examples=samples(40, 100))
@given(CALLS, st.sampled_from(["", "->{'a': 1}", " -> ok", "\nnext"]))
def test_written_calls_read_back_equal(calls: list[TextCall], behind: str) -> None:
    text = write_calls(calls)
    assert read_calls(text + behind) == (tuple(calls), len(text))


def read_one_call(text: str) -> tuple[dict[str, Plain], tuple[str, ...]]:
    """Read the only call of a text, and return its arguments and the tolerated mistakes."""
    (call,), _ = read_calls(text)
    return dict(call.arguments), call.tolerated


@pytest.mark.parametrize(
    ("text", "expected", "tolerated"),
    [
        ("[f(a='x', b=[1, {'k': None}])]", {"a": "x", "b": [1, {"k": None}]}, ()),
        ('f(a="it\'s", b=-1.5e3)', {"a": "it's", "b": -1500.0}, ()),
        ("f(a='x',)", {"a": "x"}, ()),
        ("[f(a='Don't go, he said', b=2)]", {"a": "Don't go, he said", "b": 2}, "unescaped_quote"),
        ("[f(a='['x', 'y']')]->ok", {"a": "['x', 'y']"}, "unescaped_quote"),
        ("[f(a=New York, b=x)]", {"a": "New York", "b": "x"}, "no_quotes"),
        ("[f(a=(1+2)*3, b='y')]", {"a": "(1+2)*3", "b": "y"}, "no_quotes"),
        ("[f(a=(1, 2))]", {"a": [1, 2]}, "tuple"),
        ("[f(a=true)]", {"a": True}, "json_word"),
        ("[f(a={1: 'x'})]", {"a": {"1": "x"}}, "key_of_no_text"),
        ("[f(a=1, a=2)]", {"a": 2}, "repeated_argument"),
        ("f(a='\\ud800\\x41\\u00e9\\101\\q')", {"a": "\\ud800Aé" + "A\\q"}, ()),
        ("f(a=" + "9" * 5000 + ")", {"a": "9" * 5000}, "no_quotes"),
    ],
)
def test_common_mistakes_in_calls_are_tolerated(
    text: str, expected: dict[str, Plain], tolerated: str | tuple[str, ...]
) -> None:
    assert read_one_call(text) == (
        expected,
        (tolerated,) if isinstance(tolerated, str) else tolerated,
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_call"),
        ("[]", "no_call"),
        ("hello", "no_call"),
        ("f(", "no_argument"),
        ("f('x')", "no_argument"),
        ("f(a=", "no_value"),
        ("f(a='x'", "no_value"),
        ("f(a=" + "[" * (MAX_DEPTH + 1), "too_deep"),
        ("f(a=" + "{1:" * (MAX_DEPTH + 1), "too_deep"),
    ],
)
def test_text_without_a_call_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(RejectedInputError) as caught:
        read_calls(text)
    assert caught.value.reason == reason


HOSTILE = ("[", "['x, b=['x, ", "'x ", "(", "a=(1+2, ", "\\'", "{1:", "a=[1,(2+3),", "',\"", "=,")


@pytest.mark.parametrize("piece", HOSTILE)
def test_reading_time_grows_less_than_quadratically(piece: str) -> None:
    def seconds(size: int) -> float:
        text = "[f(a=" + piece * (size // len(piece))
        started = time.process_time()
        with pytest.raises(RejectedInputError):
            read_calls(text)
        return time.process_time() - started

    short, long = seconds(20_000), seconds(160_000)
    assert long < 40 * short + 0.2, "eight times the text may not take sixty-four times as long"
