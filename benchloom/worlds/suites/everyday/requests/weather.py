"""The requests that users can make about the weather, and for plans that depend on the weather."""

from benchloom.worlds.requests.draws import clock, day, number, words
from benchloom.worlds.requests.wants import Named, Question, Requests, Want, ask
from benchloom.worlds.suites.everyday.requests._objects import ALL, CITY, RESTAURANT

_SOON = day(1, 12)
_DRY = Named(
    "weather.next_dry_day",
    "date",
    "the first dry day in {city} from {since} on",
    by={"city": CITY, "since": _SOON},
)
_TOWN = Named("contacts.search_contacts", "city", "where {name} lives", name="name", listing=ALL)


def _there(field: str) -> Named:
    return Named(
        "weather.get_forecast", field, "in {city} on {date}", by={"city": CITY, "date": _SOON}
    )


def _at_home(field: str) -> Named:
    return Named(
        "weather.get_forecast", field, "{city} on {date}", by={"city": _TOWN, "date": _SOON}
    )


REQUESTS = Requests(
    wants=(
        Want(
            "restaurants.create_reservation",
            "book a table for {party_size} at {restaurant_id} on {date} at {time}",
            {
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": _DRY,
                "time": clock(12, 20),
            },
            makes=("reservation_id", "that table"),
        ),
    ),
    questions=(
        Question("tell me what the weather is like {it}", _there("sky")),
        Question("tell me how warm it gets {it}", _there("high_celsius")),
        Question("look up how cold it gets {it}", _there("low_celsius")),
        Question("tell me how windy it is {it}", _there("wind_kmh")),
        Question("find out how likely rain is {it}", _at_home("rain_percent")),
        Question("tell me what the sky looks like {it}", _at_home("sky")),
        Question("tell me when {it} is", _DRY),
        ask(
            "find out which town is warmest on {date}",
            "weather.warmest_city",
            "city",
            {"date": _SOON},
        ),
        ask(
            "tell me on which day the forecast says {sky} in {city}, from {since} on",
            "weather.search_forecasts",
            "date",
            {"sky": words("sunny", "fog", "storm", "showers"), "city": CITY, "since": _SOON},
        ),
    ),
)
