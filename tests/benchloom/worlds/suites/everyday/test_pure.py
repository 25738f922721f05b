"""Pure tools: each agrees with another way of finding the same."""

import math
import unicodedata
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from benchloom.worlds.everyday.apps.units import FACTORS
from tests.benchloom.worlds.suites.everyday.support import Visit

SESSION = Visit(Session(everyday()))
"""Pure tools change nothing, so that one session does for all."""
DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))
NUMBERS = st.one_of(
    st.integers(0, 999), st.decimals(0, 99, places=3, allow_nan=False, allow_infinity=False)
)
EXPRESSIONS = st.recursive(
    NUMBERS.map(str),
    lambda inside: st.one_of(
        st.tuples(inside, st.sampled_from("+-*/%"), inside).map(" ".join),
        inside.map(lambda one: f"({one})"),
        inside.map(lambda one: f"-({one})"),
        inside.map(lambda one: f"({one})**2"),
        st.tuples(inside, inside).map(lambda two: f"max({two[0]}, {two[1]})"),
    ),
    max_leaves=5,
)


def refused(tool: str, **arguments: Any) -> str | None:
    return SESSION.session.call(tool, arguments).refused


@given(EXPRESSIONS.filter(lambda one: len(one) <= 200))
def test_expressions_are_worked_out_as_python_does(expression: str) -> None:
    wrapped = Fraction(0)
    try:
        exact = eval(_exactly(expression), {"F": Fraction, "max": max})  # noqa: S307  the expression is written by the test
        wrapped = Fraction(exact)
    except ZeroDivisionError:
        assert refused("calculator.calculate", expression=expression) == "invalid_argument"
        return
    outcome = SESSION.session.call("calculator.calculate", {"expression": expression})
    if outcome.refused is None:
        assert isinstance(outcome.result, dict)
        assert outcome.result["value"] == pytest.approx(float(wrapped), rel=1e-9, abs=1e-9)
    else:
        assert abs(wrapped) > 10**15 or "intermediate" in outcome.message


def _exactly(expression: str) -> str:
    """The expression for Python, with every number as a fraction but the exponents."""
    parts = expression.replace("**2", "@").replace("(", " ( ").replace(")", " ) ")
    words = parts.replace(",", " , ").replace("@", " ** 2 ").split()
    tokens = [
        f"F('{word}')" if word[0].isdigit() and words[index - 1] != "**" else word
        for index, word in enumerate(words)
    ]
    return " ".join(tokens)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-2 ** 2", -4),
        ("2 ** -2", 0.25),
        ("2 ** 3 ** 2", 512),
        ("0.1 + 0.2", 0.3),
        ("sqrt(2)", 1.4142135624),
        ("-7 % 3", 2),
        ("min(4, 2, 8) - abs(-3)", -1),
        ("(0 - 1) ** 999999999", -1),
        ("10 / 4 / 5", 0.5),
        ("8 - 2 - 1", 5),
    ],
)
def test_signs_bind_as_they_do_on_paper(expression: str, value: float) -> None:
    assert SESSION.call("calculator.calculate", expression=expression) == {"value": value}


@pytest.mark.parametrize(
    "expression",
    [
        *("9**9**9", "9**9**9**9", "2**0.5", "0**-1", "1/0", "1%0", "(", ")", "1 2", "1 +", "()"),
        *(
            "sqrt(0-1)",
            "sqrt(1, 2)",
            "exec(1)",
            "max",
            "max()",
            "1e5",
            "__import__",
            "a.b",
            "1.2.3",
        ),
        *("(" * 100 + "1" + ")" * 99, "max(" * 49 + "1", "9" * 17, "9" * 200, "10**16", "1,2", ""),
        *(
            "((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))",
            "1\n",
            "\u0661",
            "1;2",
        ),
        *("(1/3)**99", "1.1**2.2", "+", "-", "* 2", " "),
    ],
)
def test_what_is_no_sum_or_too_large_is_refused(expression: str) -> None:
    assert refused("calculator.calculate", expression=expression) == "invalid_argument"


@given(st.integers(1, 100_000_000), st.integers(1, 100))
def test_no_cent_is_lost_when_cents_are_split(cents: int, people: int) -> None:
    division = SESSION.call("calculator.split_cents", amount_cents=cents, people=people)
    shares = division["shares_cents"]
    assert (sum(shares), len(shares)) == (cents, people)
    assert max(shares) - min(shares) <= 1


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=20))
def test_numbers_are_summarised(numbers: list[int]) -> None:
    summary = SESSION.call("calculator.summarise_numbers", numbers=list(numbers))
    assert summary["total"] == math.fsum(numbers)
    assert summary["mean"] == pytest.approx(math.fsum(numbers) / len(numbers))
    assert (summary["smallest"], summary["largest"]) == (min(numbers), max(numbers))


@pytest.mark.parametrize("dimension", FACTORS)
def test_units_go_there_and_back(dimension: str) -> None:
    units = [
        unit_row["unit"] for unit_row in SESSION.call("units.search_units", dimension=dimension)
    ]
    for one in units:
        for other in units:
            there = SESSION.call("units.convert_units", amount=7, unit=one, to_unit=other)
            if there["amount"] < 1:  # little is left of it behind ten places
                continue
            back = SESSION.call(
                "units.convert_units", amount=there["amount"], unit=other, to_unit=one
            )
            assert back["amount"] == pytest.approx(7, rel=1e-9)


@pytest.mark.parametrize(
    ("amount", "unit", "to_unit", "found"),
    [
        (1, "mi", "km", 1.609344),
        (100, "km/h", "m/s", 27.7777777778),
        (1, "nmi", "m", 1852),
        (1, "gal", "l", 3.785411784),
        (2, "wk", "h", 336),
        (1, "kn", "km/h", 1.852),
        (16, "oz", "lb", 1),
        (1, "kWh", "kJ", 3600),
    ],
)
def test_known_amounts(amount: float, unit: str, to_unit: str, found: float) -> None:
    conversion = SESSION.call("units.convert_units", amount=amount, unit=unit, to_unit=to_unit)
    assert conversion["amount"] == pytest.approx(found, abs=1e-9)


def test_metres_are_no_kilograms_and_nothing_is_colder_than_nothing() -> None:
    assert refused("units.convert_units", amount=1, unit="m", to_unit="kg") == "invalid_argument"
    cold: dict[str, Any] = {"degrees": -300, "scale": "celsius", "to_scale": "kelvin"}
    assert refused("units.convert_temperature", **cold) == "invalid_argument"
    warm: dict[str, Any] = {"degrees": 98.6, "scale": "fahrenheit", "to_scale": "celsius"}
    assert SESSION.call("units.convert_temperature", **warm)["degrees"] == 37


@given(DAYS, st.integers(-3000, 3000))
def test_days_are_shifted_and_counted_back(one: date, days: int) -> None:
    other = one + timedelta(days=days)
    arguments: dict[str, Any] = {"date": one.isoformat(), "days": days}
    if not 2000 <= other.year <= 2099:
        assert refused("dates.shift_date", **arguments) == "invalid_argument"
        return
    shifted_date = SESSION.call("dates.shift_date", **arguments)
    assert (shifted_date["date"], shifted_date["weekday"]) == (other.isoformat(), f"{other:%A}")
    span = SESSION.call("dates.days_between", since=one.isoformat(), until=other.isoformat())
    first, last = sorted((one, other))
    working = sum((first + timedelta(n)).weekday() < 5 for n in range((last - first).days))
    assert span == {"days": days, "working_days": working if days >= 0 else -working}


@given(DAYS, st.integers(-1000, 1000))
def test_months_end_where_they_end(one: date, months: int) -> None:
    outcome = SESSION.session.call("dates.shift_date", {"date": one.isoformat(), "months": months})
    if not isinstance(outcome.result, dict):
        assert not 2000 <= one.year + (one.month - 1 + months) // 12 <= 2099
        return
    shifted_date = date.fromisoformat(str(outcome.result["date"]))
    assert (shifted_date.year - one.year) * 12 + shifted_date.month - one.month == months
    assert shifted_date.day == one.day or (
        shifted_date.day < one.day and (shifted_date + timedelta(days=1)).day == 1
    )


@given(DAYS.filter(lambda one: one.year < 2099), st.sampled_from(range(7)))
def test_the_next_weekday_is_within_a_week(one: date, place: int) -> None:
    name = f"{date(2024, 1, 1 + place):%A}"
    next_day = SESSION.call("dates.next_weekday", weekday=name, date=one.isoformat())
    assert next_day["weekday"] == name
    assert 1 <= (date.fromisoformat(next_day["date"]) - one).days <= 7


@given(st.integers(-20_000, 20_000))
def test_minutes_are_shifted_and_counted_back(minutes: int) -> None:
    start = "2027-03-15T09:00"
    shifted_start = SESSION.call("dates.shift_time", start=start, minutes_later=minutes)["start"]
    assert datetime.fromisoformat(shifted_start) == datetime.fromisoformat(start) + timedelta(
        minutes=minutes
    )
    span = SESSION.call("dates.minutes_between", start=start, end=shifted_start)
    assert span == {"minutes": minutes}


TEXTS = st.text(st.characters(codec="utf-8"), max_size=80)


@given(TEXTS)
def test_texts_keep_their_lines_and_words(text: str) -> None:
    counted = SESSION.call("texts.count_text", text=text)
    assert counted["characters"] == len(text)
    assert counted["lines"] == 1 + sum(character == "\n" for character in text)
    sorted_text = SESSION.call("texts.sort_lines", text=text)["text"]
    assert sorted(sorted_text.split("\n")) == sorted(text.split("\n"))
    short = SESSION.call("texts.shorten_text", text=text, length=20)["text"]
    assert len(short) <= 20
    assert text.split()[: len(short.split())] == short.split()


@given(TEXTS)
def test_capitals_are_the_same_letters(text: str) -> None:
    for form in ("upper", "lower", "title", "sentence"):
        changed_text = SESSION.call("texts.change_case", text=text, form=form)["text"]
        assert unicodedata.normalize(
            "NFC", changed_text.casefold().casefold()
        ) == unicodedata.normalize("NFC", changed_text.casefold())
        if text.isascii():
            assert changed_text.lower() == text.lower()


@given(st.lists(st.integers(-(10**9), 10**9), max_size=8))
def test_numbers_in_a_text_are_found(numbers: list[int]) -> None:
    text = " and ".join(map(str, numbers))
    assert SESSION.call("texts.find_numbers", text=text)["numbers"] == numbers


def test_addresses_in_a_text_are_found_once() -> None:
    text = "Ask Ada@brisk.example, ada@brisk.example or (bo.cole@lomm.example)."
    emails = SESSION.call("texts.find_emails", text=text)["emails"]
    assert emails == ["ada@brisk.example", "bo.cole@lomm.example"]


def test_a_text_does_not_grow_without_end() -> None:
    grown = {"text": "a" * 4000, "old": "a", "new": "b" * 4000}
    assert refused("texts.replace_text", **grown) == "invalid_argument"
    assert refused("texts.replace_text", text="hen", old="plum") == "not_found"
    half = refused("texts.change_case", text="\ud800", form="upper")
    assert half == "invalid_argument"
