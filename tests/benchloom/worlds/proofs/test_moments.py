"""Check which days and times a strict reader recognises in the turns of a user."""

import pytest

from benchloom.worlds.proofs.stated_values import Turns

_NOW = "2027-03-15T09:00:00+00:00"


@pytest.mark.parametrize(
    ("value", "turn"),
    [
        ("14:00", "Come at 2pm, please"),
        ("14:00", "Come at 2 p.m."),
        ("14:00:00", "Come at 14:00"),
        ("02:30", "It leaves 2:30 a.m. sharp"),
        ("12:00", "Lunch at noon"),
        ("12:00", "Lunch at 12 pm"),
        ("00:00", "At 12 AM the gates close"),
        ("00:00", "It ends at midnight"),
        ("09:00", "at nine in the morning"),
        ("17:00", "at 5 o'clock in the afternoon"),
        ("21:00", "around 9 at night"),
        ("16:30", "half past four in the afternoon"),
        ("16:30", "half past 4 in the evening"),
        ("17:00", "change it to 5 pm"),
        ("18:15", "quarter past 6 pm"),
        ("18:45", "quarter to seven in the evening"),
        ("11:45", "quarter to 12 in the morning"),
        ("09:00", "09:00 in the office"),
        ("09:05", "9.05 am"),
        ("2027-03-18", "on March 18th, 2027"),
        ("2027-03-18", "on the 18th of March"),
        ("2027-03-18", "18 Mar, if you can"),
        ("2027-03-18", "this Thursday"),
        ("2027-03-15", "for tonight"),
        ("2029-05-04", "May 4 2029"),
        ("2029-05-04", "2029 it is: on May 4"),
        ("2027-03-16 07:15:00", "tomorrow at 7:15am"),
        ("2027-03-16T07:15", "March 16, quarter past seven in the morning"),
        ("2024-05-02 20:00:00", "8 pm tomorrow. Today is 2024-05-01."),
        ("2027-03-17", "the day after tomorrow"),
        ("2027-03-22", "on the 22nd at noon"),
        ("2027-04-12", "I leave on the 12th."),
        ("2027-03-28", "the 28th of this month"),
        ("07-09", "What happened on July 9th?"),
    ],
)
def test_stated_day_or_time_is_recognised(value: str, turn: str) -> None:
    assert Turns([turn], _NOW).says(value, "time") is not None


@pytest.mark.parametrize(
    ("value", "turn"),
    [
        ("09:00", "at 9:00 pm"),
        ("09:00", "at 09:00 PM"),
        ("09:00", "9 in the evening"),
        ("21:00", "at 9 am"),
        ("14:00", "from 2 to 3"),
        ("02:00", "at 12:02"),
        ("12:00", "in the afternoon"),
        ("02:30", "at 12:30 am"),
        ("16:30", "half past four in the morning"),
        ("18:45", "quarter past seven in the evening"),
        ("2027-03-18", "on March 18th, 2026"),
        ("2027-03-18", "March 18, 2026 or so"),
        ("2027-03-18", "18 March 2026"),
        ("2027-03-01", "March 18"),
        ("2027-03-08", "18 March"),
        ("2027-03-22", "March 22:30"),
        ("2029-05-04", "on May 4"),
        ("2027-03-25", "on Thursday"),
        ("2024-05-02", "tomorrow"),
        ("2027-03-16", "tomorrow; today is 2024-05-01"),
        ("2027-02-30", "February 28"),
        ("2027-03-16T07:15", "March 16"),
        ("2027-03-16T07:15", "at 7:15 am"),
        ("16:00", "quarter to 4 in the afternoon"),
        ("16:00", "half past 4 pm"),
        ("2027-03-16", "the day after tomorrow"),
        ("2027-04-22", "on the 22nd at noon"),
        ("2027-03-18", "on the 18th floor"),
        ("2027-05-28", "the 28th of this month"),
        ("07-09", "on July 19"),
    ],
)
def test_unstated_day_or_time_is_not_recognised(value: str, turn: str) -> None:
    assert Turns([turn], _NOW).says(value, "time") is None
