"""The requests that users can make about restaurants and reservations, with their wording."""

from benchloom.worlds.requests.draws import clock, day, number, quoted, words
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, hours
from benchloom.worlds.suites.everyday.requests._objects import CITY, NAMED_OBJECTS, RESTAURANT

_BY_KIND = Named(
    "restaurants.search_restaurants",
    "restaurant_id",
    "the {cuisine} place in {city}",
    by={
        "cuisine": words("bakery", "curry", "grill", "noodles", "seafood", "vegetarian"),
        "city": CITY,
    },
)
_TABLE = Named(
    "restaurants.search_reservations",
    "reservation_id",
    "my table at {restaurant_id}",
    by={"restaurant_id": RESTAURANT},
)
_TABLE_ON = Named(
    "restaurants.search_reservations",
    "reservation_id",
    "my table on {date}",
    by={"date": day(1, 10)},
)
_TIME = clock(12, 20)
_NOTES = quoted(
    "A high chair", "A quiet corner", "Nuts make me ill", "On the terrace", "With a dog"
)


REQUESTS = requests(
    usual={
        **NAMED_OBJECTS,
        "party_size": number(2, 6),
        "date": day(1, 30),
        "time": _TIME,
        "note": _NOTES,
    },
    wants=(
        Want(
            "restaurants.create_reservation",
            "book a table for {party_size} at {restaurant_id} on {date} at {time}",
            makes=("reservation_id", "that table"),
        ),
        Want(
            "restaurants.create_reservation",
            "book {restaurant_id} for {party_size} people on {date} at {time} and leave "
            "the deposit on {card_id}",
            {"restaurant_id": _BY_KIND},
            makes=("reservation_id", "that reservation"),
        ),
        Want(
            "restaurants.create_reservation",
            "get me a table for {party_size} at {restaurant_id} on {date} at {time}, noting {note}",
            {"party_size": number(2, 6), "restaurant_id": _BY_KIND},
            makes=("reservation_id", "that table"),
        ),
        Want(
            "restaurants.create_reservation",
            "book a table for {party_size} at {restaurant_id} on {date} at {time}",
            {"party_size": number(2, 6), "time": clock(18, 20)},
            first={"time": clock(21, 22)},
            otherwise="if that is too late, take {time}",
            makes=("reservation_id", "that table"),
        ),
        Want(
            "restaurants.update_reservation",
            "move {reservation_id} to {time}",
            {"reservation_id": _TABLE_ON},
        ),
        Want(
            "restaurants.update_reservation",
            "move {reservation_id} to {date}",
            {"reservation_id": _TABLE, "date": day(2, 30)},
        ),
        Want(
            "restaurants.update_reservation",
            "have them note {note} for {reservation_id}",
            {"reservation_id": _TABLE},
        ),
        Want(
            "restaurants.delete_reservation",
            "cancel {reservation_id}",
            {"reservation_id": _TABLE_ON},
        ),
        Want(
            "restaurants.add_companion",
            "note that {person_id} comes along to {reservation_id}",
            {"reservation_id": _TABLE},
        ),
        Want(
            "restaurants.add_reservation_to_calendar",
            "put {reservation_id} into {calendar_id}",
            {"reservation_id": _TABLE_ON},
            makes=("event_id", "that event"),
        ),
        Want(
            "restaurants.share_reservation",
            "tell {thread_id} about {reservation_id}",
            {"reservation_id": _TABLE},
        ),
    ),
    questions=(
        Question("tell me on which day {it} is closed", RESTAURANT.for_field("closed_on")),
        Question("find out in which town {it} is", RESTAURANT.for_field("city")),
        Question("tell me what {it} is called", _BY_KIND.for_field("name")),
        Question("tell me when {it} opens", _BY_KIND.for_field("opens")),
        Question(
            "look up at what time {it}", _TABLE.for_field("time", "my table at {restaurant_id} is")
        ),
    ),
    policies=(
        Policy(
            "Book tables only for times between {limit}.",
            "restaurants.create_reservation",
            "time",
            "between",
            hours("11:30-14:00", "17:00-19:30", "18:30-21:00", "09:00-22:30"),
        ),
        Policy(
            "Never book a table for more than {limit} people.",
            "restaurants.create_reservation",
            "party_size",
            "at_most",
            ((2, "2"), (4, "4"), (8, "8")),
        ),
        Policy(
            "Book no tables on {limit}.",
            "restaurants.create_reservation",
            "date",
            "not_weekday",
            (
                (["Sunday"], "Sundays"),
                (["Friday", "Saturday"], "Fridays and Saturdays"),
                (["Tuesday", "Wednesday", "Thursday"], "Tuesdays, Wednesdays and Thursdays"),
            ),
        ),
        confirmed("restaurants.delete_reservation", "Cancel a reservation"),
    ),
)
