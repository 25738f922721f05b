"""Tools for bookings of hotel rooms."""

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Count
from benchloom.worlds.suites.api_bank.part import DAY, Part, fill_from, moment, next_key, refused
from benchloom.worlds.tool import tool

_SCHEMA = """
CREATE TABLE bookings (
    order_id TEXT PRIMARY KEY, hotel_name TEXT NOT NULL, check_in_time TEXT NOT NULL,
    check_out_time TEXT NOT NULL, room_count INTEGER NOT NULL, adult_count INTEGER NOT NULL,
    child_count INTEGER NOT NULL
) STRICT;
"""


@tool(
    hotel_name="which hotel.",
    check_in_time="the first day, like 2023-01-31.",
    check_out_time="the last day.",
    room_count="the number of rooms.",
    adult_count="the number of adults.",
    child_count="the number of children.",
)
def BookHotel(
    state: State,
    *,
    hotel_name: str,
    check_in_time: str,
    check_out_time: str,
    room_count: Count,
    adult_count: Count,
    child_count: Count,
) -> str:
    """Book hotel rooms and return the id of the order."""
    first, last = moment(check_in_time, DAY), moment(check_out_time, DAY)
    if last < first or not room_count:
        raise refused(state, "unavailable", ("OrderHotel", 1), "the hotel has no such room")
    key = next_key(state, "bookings", "order_id")
    state.add(
        "bookings",
        order_id=key,
        hotel_name=hotel_name,
        check_in_time=first,
        check_out_time=last,
        room_count=room_count,
        adult_count=adult_count,
        child_count=child_count,
    )
    return key


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("bookings", "order_id", lambda databases: databases.hotel),
    tools=globals(),
    drawn_ids={"BookHotel": ()},
    goals={"BookHotel": "book a hotel room"},
)
