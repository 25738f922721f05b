"""Restaurants."""

from benchloom.worlds.suites.everyday.asking.draws import clock, day, number, quoted, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import (
    CALENDAR,
    CARD,
    CITY,
    PERSON,
    RESTAURANT,
    THREAD,
)

_BY_KIND = Named(
    tool="restaurants.search_restaurants",
    by={
        "cuisine": words("bakery", "curry", "grill", "noodles", "seafood", "vegetarian"),
        "city": CITY,
    },
    field="restaurant_id",
    text="the {cuisine} place in {city}",
)
_TABLE = Named(
    tool="restaurants.search_reservations",
    by={"restaurant_id": RESTAURANT},
    field="reservation_id",
    text="my table at {restaurant_id}",
)
_TABLE_ON = Named(
    tool="restaurants.search_reservations",
    by={"date": day(1, 10)},
    field="reservation_id",
    text="my table on {date}",
)
_TIME = clock(12, 20)
_NOTES = quoted(
    "A high chair", "A quiet corner", "Nuts make me ill", "On the terrace", "With a dog"
)


def _about(field: str) -> Named:
    return Named(
        tool="restaurants.search_restaurants",
        query="query",
        name="name",
        field=field,
        text="{name}",
    )


def _of_kind(field: str) -> Named:
    return Named(
        tool="restaurants.search_restaurants",
        by=_BY_KIND.by,
        field=field,
        text="the {cuisine} place in {city}",
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="restaurants.create_reservation",
            text="book a table for {party_size} at {restaurant_id} on {date} at {time}",
            take={
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": day(1, 30),
                "time": _TIME,
            },
            makes=("reservation_id", "that table"),
        ),
        Want(
            tool="restaurants.create_reservation",
            text="book {restaurant_id} for {party_size} people on {date} at {time} and leave "
            "the deposit on {card_id}",
            take={
                "restaurant_id": _BY_KIND,
                "party_size": number(2, 6),
                "date": day(1, 30),
                "time": _TIME,
                "card_id": CARD,
            },
            makes=("reservation_id", "that reservation"),
        ),
        Want(
            tool="restaurants.create_reservation",
            text="get me a table for {party_size} at {restaurant_id} on {date} at {time}, "
            "noting {note}",
            take={
                "party_size": number(2, 6),
                "restaurant_id": _BY_KIND,
                "date": day(1, 30),
                "time": _TIME,
                "note": _NOTES,
            },
            makes=("reservation_id", "that table"),
        ),
        Want(
            tool="restaurants.create_reservation",
            text="book a table for {party_size} at {restaurant_id} on {date} at {time}",
            take={
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": day(1, 30),
                "time": _TIME,
            },
            first={"time": clock(21, 22)},
            otherwise="if that is too late, take {time}",
            makes=("reservation_id", "that table"),
        ),
        Want(
            tool="restaurants.update_reservation",
            text="move {reservation_id} to {time}",
            take={"reservation_id": _TABLE_ON, "time": _TIME},
        ),
        Want(
            tool="restaurants.update_reservation",
            text="move {reservation_id} to {date}",
            take={"reservation_id": _TABLE, "date": day(2, 30)},
        ),
        Want(
            tool="restaurants.update_reservation",
            text="have them note {note} for {reservation_id}",
            take={"reservation_id": _TABLE, "note": _NOTES},
        ),
        Want(
            tool="restaurants.delete_reservation",
            text="cancel {reservation_id}",
            take={"reservation_id": _TABLE_ON},
        ),
        Want(
            tool="restaurants.add_companion",
            text="note that {person_id} comes along to {reservation_id}",
            take={"reservation_id": _TABLE, "person_id": PERSON},
        ),
        Want(
            tool="restaurants.add_reservation_to_calendar",
            text="put {reservation_id} into {calendar_id}",
            take={"reservation_id": _TABLE_ON, "calendar_id": CALENDAR},
            makes=("event_id", "that event"),
        ),
        Want(
            tool="restaurants.share_reservation",
            text="tell {thread_id} about {reservation_id}",
            take={"reservation_id": _TABLE, "thread_id": THREAD},
        ),
    ),
    questions=(
        Question(text="tell me on which day {it} is closed", about=_about("closed_on")),
        Question(text="find out in which town {it} is", about=_about("city")),
        Question(text="tell me what {it} is called", about=_of_kind("name")),
        Question(text="tell me when {it} opens", about=_of_kind("opens")),
        Question(
            text="look up at what time {it}",
            about=Named(
                tool="restaurants.search_reservations",
                by={"restaurant_id": RESTAURANT},
                field="time",
                text="my table at {restaurant_id} is",
            ),
        ),
    ),
)
