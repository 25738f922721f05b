"""The app for the weather, whose tools look up forecasts for two weeks."""

from datetime import timedelta
from itertools import product
from typing import Literal, TypeAlias, get_args

import msgspec

from benchloom.worlds.everyday.rules import (
    CITIES,
    City,
    Date,
    choice,
    day,
    drawn,
    first_of,
    in_days,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import State
from benchloom.worlds.tool import App, read_tool, tools_of

Sky: TypeAlias = Literal["sunny", "cloudy", "rain", "showers", "fog", "storm"]
_SKIES: tuple[Sky, ...] = get_args(Sky)
_DAYS = 14
_SCHEMA = """
CREATE TABLE forecasts (
    city TEXT NOT NULL,
    date TEXT NOT NULL,
    sky TEXT NOT NULL,
    low_celsius INTEGER NOT NULL,
    high_celsius INTEGER NOT NULL CHECK (high_celsius >= low_celsius),
    rain_percent INTEGER NOT NULL CHECK (rain_percent BETWEEN 0 AND 100),
    wind_kmh INTEGER NOT NULL CHECK (wind_kmh >= 0),
    PRIMARY KEY (city, date)
) STRICT;
"""


class Forecast(msgspec.Struct, frozen=True):
    """The forecast for a city on a day."""

    city: City
    date: str
    sky: Sky
    low_celsius: int
    high_celsius: int
    rain_percent: int
    wind_kmh: int


FORECASTS = Table("forecasts", Forecast, order="date, high_celsius DESC, city")


@read_tool(sky="only days with this weather.", since="only this day and later ones.")
def search_forecasts(
    state: State, *, city: City, sky: Sky | None = None, since: Date | None = None
) -> list[Forecast]:
    """Find the forecasts for a city, earliest first."""
    return FORECASTS.search(state, where=in_days("date", since), city=city, sky=sky)


@read_tool()
def get_forecast(state: State, *, city: City, date: Date) -> Forecast:
    """Return the forecast for a city on a day."""
    on = day(date).isoformat()
    matches = FORECASTS.search(state, city=city, date=on)
    return first_of(matches, "unavailable", f"there is no forecast for {on}")


@read_tool()
def warmest_city(state: State, *, date: Date) -> Forecast:
    """Return the forecast for the warmest city on a day."""
    on = day(date).isoformat()
    matches = FORECASTS.search(state, date=on)
    return first_of(matches, "unavailable", f"there is no forecast for {on}")


@read_tool(since="the first day to consider; the default is today.")
def next_dry_day(state: State, *, city: City, since: Date | None = None) -> Forecast:
    """Return the first day in a city on which the chance of rain is below 50 percent."""
    days = search_forecasts(state, city=city, since=since)
    dry = [forecast for forecast in days if forecast.rain_percent < 50]
    return first_of(dry, "not_found", "there is no dry day in the forecast")


def _fill(state: State) -> None:
    for city, ahead in product(CITIES, range(_DAYS)):
        on = (day(today(state)) + timedelta(days=ahead)).isoformat()
        sky = choice(_SKIES, "sky", city, on)
        low = 1 + drawn(7, "low", city, on)
        wet = sky in {"rain", "showers", "storm"}
        state.add(
            "forecasts",
            city=city,
            date=on,
            sky=sky,
            low_celsius=low,
            high_celsius=low + 2 + drawn(9, "high", city, on),
            rain_percent=5
            * (12 + drawn(9, "rain", city, on) if wet else drawn(7, "rain", city, on)),
            wind_kmh=40 * (sky == "storm") + 5 + 5 * drawn(7, "wind", city, on),
        )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("weather", globals(), descriptions={"city": "where.", "date": "the day."}),
    frozen=("forecasts",),
    goals={
        "get_forecast": "find out {} on a certain day",
        "search_forecasts": "find out {} of a forecast",
        "warmest_city": "find out which city is warmest on a day",
    },
)
