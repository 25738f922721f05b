"""Travel."""

from benchloom.worlds.suites.everyday.asking.draws import day, days_on, number, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CALENDAR, CARD, CITY, THREAD

_MODES = words("train", "ferry", "bus", "flight")
_DEPARTURE = Named(
    tool="travel.search_departures",
    by={"mode": _MODES, "from_city": CITY, "to_city": CITY, "date": day(1, 7)},
    field="departure_id",
    text="the {mode} from {from_city} to {to_city} on {date}",
)
_TRIP = Named(
    tool="travel.search_trips",
    by={"to_city": CITY},
    field="trip_id",
    text="my trip to {to_city}",
)
_STAY = Named(
    tool="travel.search_stays",
    by={"city": CITY},
    field="stay_id",
    text="my stay in {city}",
)
_HOTEL = Named(
    tool="travel.search_hotels",
    query="query",
    name="name",
    by={"city": CITY},
    field="hotel_id",
    text="the {name}",
)


def _about(field: str) -> Named:
    return Named(
        tool="travel.search_departures",
        by={"mode": _MODES, "from_city": CITY, "to_city": CITY, "date": day(1, 7)},
        field=field,
        text="the {mode} from {from_city} to {to_city} on {date}",
    )


def _hotel(field: str) -> Named:
    return Named(
        tool="travel.search_hotels",
        query="query",
        name="name",
        by={"city": CITY},
        field=field,
        text="the {name}",
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="travel.book_trip",
            text="book {departure_id} with {card_id}",
            take={"departure_id": _DEPARTURE, "card_id": CARD},
            makes=("trip_id", "that trip"),
        ),
        Want(
            tool="travel.book_trip",
            text="book {departure_id} for {travellers} people and pay with {card_id}",
            take={"departure_id": _DEPARTURE, "card_id": CARD, "travellers": number(2, 4)},
            makes=("trip_id", "that trip"),
        ),
        Want(
            tool="travel.book_trip",
            text="book {departure_id} for {travellers} people with {card_id}",
            take={"departure_id": _DEPARTURE, "card_id": CARD, "travellers": number(2, 3)},
            first={"travellers": number(5, 9)},
            otherwise="if that cannot be, book it for {travellers}",
            makes=("trip_id", "that trip"),
        ),
        Want(
            tool="travel.book_trip",
            text="book {departure_id}, paid with {card_id}",
            take={"departure_id": _DEPARTURE, "card_id": CARD},
            first={"card_id": CARD},
            otherwise="if that card does not work, take {card_id}",
            makes=("trip_id", "that trip"),
        ),
        Want(
            tool="travel.update_trip",
            text="change {trip_id} to {departure_id} and pay with {card_id}",
            take={"trip_id": _TRIP, "departure_id": _DEPARTURE, "card_id": CARD},
        ),
        Want(tool="travel.cancel_trip", text="cancel {trip_id}", take={"trip_id": _TRIP}),
        Want(
            tool="travel.add_trip_to_calendar",
            text="put {trip_id} into {calendar_id}",
            take={"trip_id": _TRIP, "calendar_id": CALENDAR},
            makes=("event_id", "that event"),
        ),
        Want(
            tool="travel.share_trip",
            text="let {thread_id} know about {trip_id}",
            take={"trip_id": _TRIP, "thread_id": THREAD},
        ),
        Want(
            tool="travel.book_stay",
            text="book a room at {hotel_id} from {check_in} to {check_out} with {card_id}",
            take={
                "hotel_id": _HOTEL,
                "check_in": day(1, 30),
                "check_out": days_on("check_in", 1, 5),
                "card_id": CARD,
            },
            makes=("stay_id", "that stay"),
        ),
        Want(
            tool="travel.book_stay",
            text="book {rooms} rooms at {hotel_id} from {check_in} until {check_out}, on {card_id}",
            take={
                "rooms": number(2, 3),
                "hotel_id": _HOTEL,
                "check_in": day(1, 30),
                "check_out": days_on("check_in", 1, 4),
                "card_id": CARD,
            },
            first={"hotel_id": _HOTEL},
            otherwise="if they have not that many, book them at {hotel_id}",
            makes=("stay_id", "that stay"),
        ),
        Want(tool="travel.cancel_stay", text="cancel {stay_id}", take={"stay_id": _STAY}),
    ),
    questions=(
        Question(text="tell me when {it} leaves", about=_about("departs")),
        Question(text="tell me when {it} arrives", about=_about("arrives")),
        Question(text="find out what {it} costs", about=_about("price_cents")),
        Question(text="check how many seats are left on {it}", about=_about("free_seats")),
        Question(text="tell me what a night at {it} costs", about=_hotel("night_cents")),
        Question(text="tell me how many stars {it} has", about=_hotel("stars")),
        Question(
            text="find out {it}",
            about=Named(
                tool="travel.get_departure",
                by={
                    "departure_id": Named(
                        tool="travel.search_trips",
                        by={"to_city": CITY},
                        field="departure_id",
                        text="{to_city}",
                    )
                },
                field="departs",
                text="when my trip to {departure_id} begins",
                one=True,
            ),
        ),
    ),
)
