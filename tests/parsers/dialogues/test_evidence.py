"""Check which values are weak evidence of data flow, and which slots have the same meaning."""

import pytest

from parsers.dialogues.provenance.evidence import GROUP_OF, is_weak, relation


@pytest.mark.parametrize(
    "value",
    ["1", "42", "$353", "16.40", "1,200", "True", "false", "None", "2031-05-09", "07:35", "11 PM"],
)
def test_numbers_booleans_dates_and_times_are_weak_evidence(value: str) -> None:
    assert is_weak(value)


@pytest.mark.parametrize(
    "value", ["Casa Ibarra", "12 Weir Street", "4 am Lounge", "Truest", "", "Room 5", "99 Wonders"]
)
def test_names_are_strong_evidence(value: str) -> None:
    assert not is_weak(value)


@pytest.mark.parametrize(
    ("output", "argument", "expected"),
    [
        ("city", "city", "same_slot"),
        ("date", "departure_date", "equivalent_slot"),
        ("ride_fare", "amount", "equivalent_slot"),
        ("check_in_date", "check_out_date", "other_slot"),
        ("party_size", "number_of_rooms", "other_slot"),
        ("address", "destination", "other_slot"),
        ("unheard", "of", "other_slot"),
    ],
)
def test_relation_of_slots_is_symmetric(output: str, argument: str, expected: str) -> None:
    assert relation(output, argument) == expected
    assert relation(argument, output) == expected


def test_slots_belong_to_nine_groups() -> None:
    groups = set(GROUP_OF.values())
    assert len(groups) == 9
    assert all("\\" not in slot for slot in GROUP_OF)
