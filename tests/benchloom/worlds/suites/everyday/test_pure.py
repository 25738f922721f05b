"""Check that pure tools agree with independent calculations in Python."""

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

VISIT = Visit(Session(everyday()))
"""A session for all tests, because pure tools change nothing."""
DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))
NUMBERS = st.one_of(
    st.integers(0, 999), st.decimals(0, 99, places=3, allow_nan=False, allow_infinity=False)
)
EXPRESSIONS = st.recursive(
    NUMBERS.map(str),
    lambda terms: st.one_of(
        st.tuples(terms, st.sampled_from("+-*/%"), terms).map(" ".join),
        terms.map(lambda term: f"({term})"),
        terms.map(lambda term: f"-({term})"),
        terms.map(lambda term: f"({term})**2"),
        st.tuples(terms, terms).map(lambda pair: f"max({pair[0]}, {pair[1]})"),
    ),
    max_leaves=5,
)


def refusal(tool: str, **arguments: Any) -> str | None:
    """Return the kind of refusal of a call, or None if the call is accepted."""
    return VISIT.session.call(tool, arguments).refused


@given(EXPRESSIONS.filter(lambda expression: len(expression) <= 200))
def test_calculator_agrees_with_exact_fractions(expression: str) -> None:
    expected = Fraction(0)
    try:
        value = eval(_exact_python(expression), {"F": Fraction, "max": max})  # noqa: S307  the expression is written by the test
        expected = Fraction(value)
    except ZeroDivisionError:
        assert refusal("calculator.calculate", expression=expression) == "invalid_argument"
        return
    outcome = VISIT.session.call("calculator.calculate", {"expression": expression})
    if outcome.refused is None:
        assert isinstance(outcome.result, dict)
        assert outcome.result["value"] == pytest.approx(float(expected), rel=1e-9, abs=1e-9)
    else:
        assert abs(expected) > 10**15 or "intermediate" in outcome.message


def _exact_python(expression: str) -> str:
    """Return the expression as Python code with fractions for all numbers except exponents."""
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
def test_calculator_respects_operator_precedence(expression: str, value: float) -> None:
    assert VISIT.call("calculator.calculate", expression=expression) == {"value": value}


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
def test_invalid_or_too_large_expression_is_refused(expression: str) -> None:
    assert refusal("calculator.calculate", expression=expression) == "invalid_argument"


@given(st.integers(1, 100_000_000), st.integers(1, 100))
def test_split_shares_add_up_and_differ_little(cents: int, people: int) -> None:
    division = VISIT.call("calculator.split_cents", amount_cents=cents, people=people)
    shares = division["shares_cents"]
    assert (sum(shares), len(shares)) == (cents, people)
    assert max(shares) - min(shares) <= 1


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=20))
def test_summary_of_numbers_agrees_with_python(numbers: list[int]) -> None:
    summary = VISIT.call("calculator.summarise_numbers", numbers=list(numbers))
    assert summary["total"] == math.fsum(numbers)
    assert summary["mean"] == pytest.approx(math.fsum(numbers) / len(numbers))
    assert (summary["smallest"], summary["largest"]) == (min(numbers), max(numbers))


@pytest.mark.parametrize("dimension", FACTORS)
def test_converting_a_unit_and_back_keeps_the_amount(dimension: str) -> None:
    units = [unit_row["unit"] for unit_row in VISIT.call("units.search_units", dimension=dimension)]
    for unit in units:
        for other_unit in units:
            converted = VISIT.call("units.convert_units", amount=7, unit=unit, to_unit=other_unit)
            if converted["amount"] < 1:  # rounding to ten decimal places loses too much
                continue
            back = VISIT.call(
                "units.convert_units", amount=converted["amount"], unit=other_unit, to_unit=unit
            )
            assert back["amount"] == pytest.approx(7, rel=1e-9)


@pytest.mark.parametrize(
    ("amount", "unit", "to_unit", "expected"),
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
def test_conversion_of_known_amounts(
    amount: float, unit: str, to_unit: str, expected: float
) -> None:
    conversion = VISIT.call("units.convert_units", amount=amount, unit=unit, to_unit=to_unit)
    assert conversion["amount"] == pytest.approx(expected, abs=1e-9)


def test_impossible_conversions_are_refused() -> None:
    assert refusal("units.convert_units", amount=1, unit="m", to_unit="kg") == "invalid_argument"
    cold: dict[str, Any] = {"degrees": -300, "scale": "celsius", "to_scale": "kelvin"}
    assert refusal("units.convert_temperature", **cold) == "invalid_argument"
    warm: dict[str, Any] = {"degrees": 98.6, "scale": "fahrenheit", "to_scale": "celsius"}
    assert VISIT.call("units.convert_temperature", **warm)["degrees"] == 37


@given(DAYS, st.integers(-3000, 3000))
def test_shifted_date_has_the_right_distance(start: date, days: int) -> None:
    end = start + timedelta(days=days)
    arguments: dict[str, Any] = {"date": start.isoformat(), "days": days}
    if not 2000 <= end.year <= 2099:
        assert refusal("dates.shift_date", **arguments) == "invalid_argument"
        return
    shifted_date = VISIT.call("dates.shift_date", **arguments)
    assert (shifted_date["date"], shifted_date["weekday"]) == (end.isoformat(), f"{end:%A}")
    span = VISIT.call("dates.days_between", since=start.isoformat(), until=end.isoformat())
    first, last = sorted((start, end))
    working = sum((first + timedelta(n)).weekday() < 5 for n in range((last - first).days))
    assert span == {"days": days, "working_days": working if days >= 0 else -working}


@given(DAYS, st.integers(-1000, 1000))
def test_date_shifted_by_months_stays_in_that_month(start: date, months: int) -> None:
    outcome = VISIT.session.call("dates.shift_date", {"date": start.isoformat(), "months": months})
    if not isinstance(outcome.result, dict):
        assert not 2000 <= start.year + (start.month - 1 + months) // 12 <= 2099
        return
    shifted_date = date.fromisoformat(str(outcome.result["date"]))
    assert (shifted_date.year - start.year) * 12 + shifted_date.month - start.month == months
    assert shifted_date.day == start.day or (
        shifted_date.day < start.day and (shifted_date + timedelta(days=1)).day == 1
    )


@given(DAYS.filter(lambda day: day.year < 2099), st.sampled_from(range(7)))
def test_next_weekday_follows_within_seven_days(start: date, weekday: int) -> None:
    name = f"{date(2024, 1, 1 + weekday):%A}"
    next_day = VISIT.call("dates.next_weekday", weekday=name, date=start.isoformat())
    assert next_day["weekday"] == name
    assert 1 <= (date.fromisoformat(next_day["date"]) - start).days <= 7


@given(st.integers(-20_000, 20_000))
def test_shifted_time_has_the_right_distance(minutes: int) -> None:
    start = "2027-03-15T09:00"
    shifted_start = VISIT.call("dates.shift_time", start=start, minutes_later=minutes)["start"]
    assert datetime.fromisoformat(shifted_start) == datetime.fromisoformat(start) + timedelta(
        minutes=minutes
    )
    span = VISIT.call("dates.minutes_between", start=start, end=shifted_start)
    assert span == {"minutes": minutes}


TEXTS = st.text(st.characters(codec="utf-8"), max_size=80)


@given(TEXTS)
def test_text_tools_keep_lines_and_words(text: str) -> None:
    counts = VISIT.call("texts.count_text", text=text)
    assert counts["characters"] == len(text)
    assert counts["lines"] == 1 + sum(character == "\n" for character in text)
    sorted_text = VISIT.call("texts.sort_lines", text=text)["text"]
    assert sorted(sorted_text.split("\n")) == sorted(text.split("\n"))
    short_text = VISIT.call("texts.shorten_text", text=text, length=20)["text"]
    assert len(short_text) <= 20
    assert text.split()[: len(short_text.split())] == short_text.split()


@given(TEXTS)
def test_change_of_case_keeps_the_letters(text: str) -> None:
    for form in ("upper", "lower", "title", "sentence"):
        changed_text = VISIT.call("texts.change_case", text=text, form=form)["text"]
        assert unicodedata.normalize(
            "NFC", changed_text.casefold().casefold()
        ) == unicodedata.normalize("NFC", changed_text.casefold())
        if text.isascii():
            assert changed_text.lower() == text.lower()


@given(st.lists(st.integers(-(10**9), 10**9), max_size=8))
def test_numbers_in_a_text_are_found(numbers: list[int]) -> None:
    text = " and ".join(map(str, numbers))
    assert VISIT.call("texts.find_numbers", text=text)["numbers"] == numbers


def test_email_addresses_in_a_text_are_found_once() -> None:
    text = "Ask Ada@brisk.example, ada@brisk.example or (bo.cole@lomm.example)."
    emails = VISIT.call("texts.find_emails", text=text)["emails"]
    assert emails == ["ada@brisk.example", "bo.cole@lomm.example"]


def test_text_tools_refuse_too_long_or_invalid_text() -> None:
    arguments = {"text": "a" * 4000, "old": "a", "new": "b" * 4000}
    assert refusal("texts.replace_text", **arguments) == "invalid_argument"
    assert refusal("texts.replace_text", text="hen", old="plum") == "not_found"
    surrogate_refusal = refusal("texts.change_case", text="\ud800", form="upper")
    assert surrogate_refusal == "invalid_argument"
