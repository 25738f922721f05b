"""The requests that users can make about trips and hotels, with their wording."""

from benchloom.worlds.requests.draws import day, days_on, number, words
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, until_day, up_to_crowns
from benchloom.worlds.suites.everyday.requests._objects import CARD, CITY, NAMED_OBJECTS

_MODES = words("train", "ferry", "bus", "flight")
_DEPARTURE = Named(
    "travel.search_departures",
    "departure_id",
    "the {mode} from {from_city} to {to_city} on {date}",
    by={"mode": _MODES, "from_city": CITY, "to_city": CITY, "date": day(1, 7)},
)
_TRIP = Named("travel.search_trips", "trip_id", "my trip to {to_city}", by={"to_city": CITY})
_STAY = Named("travel.search_stays", "stay_id", "my stay in {city}", by={"city": CITY})
_HOTEL = Named("travel.search_hotels", "hotel_id", "the {name}", name="name", by={"city": CITY})


REQUESTS = requests(
    usual={**NAMED_OBJECTS, "departure_id": _DEPARTURE, "trip_id": _TRIP},
    wants=(
        Want(
            "travel.book_trip", "book {departure_id} with {card_id}", makes=("trip_id", "that trip")
        ),
        Want(
            "travel.book_trip",
            "book {departure_id} for {travellers} people and pay with {card_id}",
            {"departure_id": _DEPARTURE, "card_id": CARD, "travellers": number(2, 4)},
            makes=("trip_id", "that trip"),
        ),
        Want(
            "travel.book_trip",
            "book {departure_id} for {travellers} people with {card_id}",
            {"departure_id": _DEPARTURE, "card_id": CARD, "travellers": number(2, 3)},
            first={"travellers": number(5, 8)},
            otherwise="if that cannot be, book it for {travellers}",
            makes=("trip_id", "that trip"),
        ),
        Want(
            "travel.book_trip",
            "book {departure_id}, paid with {card_id}",
            first={"card_id": CARD},
            otherwise="if that card does not work, take {card_id}",
            makes=("trip_id", "that trip"),
        ),
        Want("travel.update_trip", "change {trip_id} to {departure_id} and pay with {card_id}"),
        Want("travel.cancel_trip", "cancel {trip_id}"),
        Want(
            "travel.add_trip_to_calendar",
            "put {trip_id} into {calendar_id}",
            makes=("event_id", "that event"),
        ),
        Want("travel.share_trip", "let {thread_id} know about {trip_id}", {"trip_id": _TRIP}),
        Want(
            "travel.book_stay",
            "book a room at {hotel_id} from {check_in} to {check_out} with {card_id}",
            {"hotel_id": _HOTEL, "check_in": day(1, 30), "check_out": days_on("check_in", 1, 5)},
            makes=("stay_id", "that stay"),
        ),
        Want(
            "travel.book_stay",
            "book {rooms} rooms at {hotel_id} from {check_in} until {check_out}, on {card_id}",
            {
                "rooms": number(2, 3),
                "hotel_id": _HOTEL,
                "check_in": day(1, 30),
                "check_out": days_on("check_in", 1, 4),
            },
            first={"hotel_id": _HOTEL},
            otherwise="if they have not that many, book them at {hotel_id}",
            makes=("stay_id", "that stay"),
        ),
        Want("travel.cancel_stay", "cancel {stay_id}", {"stay_id": _STAY}),
    ),
    questions=(
        Question("tell me when {it} leaves", _DEPARTURE.for_field("departs")),
        Question("tell me when {it} arrives", _DEPARTURE.for_field("arrives")),
        Question("find out what {it} costs", _DEPARTURE.for_field("price_cents")),
        Question("check how many seats are left on {it}", _DEPARTURE.for_field("free_seats")),
        Question("tell me what a night at {it} costs", _HOTEL.for_field("night_cents")),
        Question("tell me how many stars {it} has", _HOTEL.for_field("stars")),
        ask(
            "find out when my trip to {departure_id} begins",
            "travel.get_departure",
            "departs",
            {"departure_id": _TRIP.for_field("departure_id", "{to_city}")},
        ),
    ),
    policies=(
        Policy(
            "Book no trip whose ticket costs more than {limit}.",
            "travel.book_trip",
            "departure_id",
            "at_most",
            up_to_crowns(10, 25, 50, 100, 200),
            "departures.price_cents",
        ),
        Policy(
            "Book hotels only for arrivals from {limit} on.",
            "travel.book_stay",
            "check_in",
            "at_least",
            until_day("2027-03-18", "2027-03-24", "2027-04-02"),
        ),
        Policy(
            "Book no hotel that costs more than {limit} a night.",
            "travel.book_stay",
            "hotel_id",
            "at_most",
            up_to_crowns(60, 90, 130, 200),
            "hotels.night_cents",
        ),
        confirmed("travel.cancel_trip", "Cancel a trip"),
    ),
)
