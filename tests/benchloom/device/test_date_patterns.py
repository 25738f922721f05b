"""Check the short and long forms of time zones in Unicode date patterns (UTS 35)."""

from datetime import datetime

import pytest

from benchloom.device.items.moments import by_pattern


@pytest.mark.parametrize(
    ("offset", "pattern", "text"),
    [
        ("+00:00", "z|zzzz|O|Z|ZZZZ|ZZZZZ|X", "GMT|GMT|GMT|+0000|GMT|Z|Z"),
        ("+01:00", "z|zzzz|O|OOOO", "GMT+1|GMT+01:00|GMT+1|GMT+01:00"),
        ("+01:00", "Z|ZZZZ|ZZZZZ|X|XX|XXX", "+0100|GMT+01:00|+01:00|+01|+0100|+01:00"),
        ("-03:30", "z|zzzz|Z|x", "GMT-3:30|GMT-03:30|-0330|-0330"),
        ("+11:00", "z|v", "GMT+11|GMT+11"),
    ],
)
def test_date_pattern_formats_the_time_zone(offset: str, pattern: str, text: str) -> None:
    moment = datetime.fromisoformat(f"2027-03-15T09:00:00{offset}")
    assert by_pattern(moment, pattern) == text
