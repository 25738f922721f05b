"""Weather, and what people do by it."""

from benchloom.worlds.suites.everyday.asking.draws import clock, day, number, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import ALL, CITY, PERSON, RESTAURANT

_SOON = day(1, 12)
_DRY = Named(
    tool="weather.next_dry_day",
    by={"city": CITY, "since": _SOON},
    field="date",
    text="the first dry day in {city} from {since} on",
    one=True,
)
_TOWN = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="city",
    text="where {name} lives",
    listing=ALL,
)


def _there(field: str) -> Named:
    return Named(
        tool="weather.get_forecast",
        by={"city": CITY, "date": _SOON},
        field=field,
        text="in {city} on {date}",
        one=True,
    )


def _at_home(field: str) -> Named:
    return Named(
        tool="weather.get_forecast",
        by={"city": _TOWN, "date": _SOON},
        field=field,
        text="{city} on {date}",
        one=True,
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="restaurants.create_reservation",
            text="book a table for {party_size} at {restaurant_id} on {date} at {time}",
            take={
                "party_size": number(2, 6),
                "restaurant_id": RESTAURANT,
                "date": _DRY,
                "time": clock(12, 20),
            },
            makes=("reservation_id", "that table"),
        ),
        Want(
            tool="home.add_guest",
            text="let {person_id} open the front door until {until}",
            take={"person_id": PERSON, "until": _DRY},
        ),
    ),
    questions=(
        Question(text="tell me what the weather is like {it}", about=_there("sky")),
        Question(text="tell me how warm it gets {it}", about=_there("high_celsius")),
        Question(text="look up how cold it gets {it}", about=_there("low_celsius")),
        Question(text="tell me how windy it is {it}", about=_there("wind_kmh")),
        Question(text="find out how likely rain is {it}", about=_at_home("rain_percent")),
        Question(text="tell me what the sky looks like {it}", about=_at_home("sky")),
        Question(text="tell me when {it} is", about=_DRY),
        Question(
            text="find out which town {it}",
            about=Named(
                tool="weather.warmest_city",
                by={"date": _SOON},
                field="city",
                text="is warmest on {date}",
                one=True,
            ),
        ),
        Question(
            text="tell me on which day {it}",
            about=Named(
                tool="weather.search_forecasts",
                by={
                    "sky": words("sunny", "fog", "storm", "showers"),
                    "city": CITY,
                    "since": _SOON,
                },
                field="date",
                text="the forecast says {sky} in {city}, from {since} on",
            ),
        ),
    ),
)
