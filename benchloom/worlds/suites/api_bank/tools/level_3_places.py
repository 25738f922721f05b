"""Level 3: places, weather, ways to get there and where to eat and sleep."""

from typing import Annotated

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.part import DAY, LEVEL_3, Part, moment, need, refused
from benchloom.worlds.suites.api_bank.tools._drawing import number, some
from benchloom.worlds.tool import read_tool

Latitude = Annotated[float, msgspec.Meta(ge=-90, le=90)]
Longitude = Annotated[float, msgspec.Meta(ge=-180, le=180)]
_WEATHER = ("clear", "cloudy", "rain", "snow", "wind")
_HOTELS = ("Harbour Inn", "Old Mill", "Station House", "The Larch", "Weaver's Rest")
_RESTAURANTS = ("Blue Spoon", "Corner Oven", "Fig and Fennel", "Little Wok", "Salt Yard")
_LINES = ("Finch Air", "Northway", "Skylark")
_STATES = ("at home", "on the way", "arrived")
_COLD, _WARM = 10, 22
_DAMP = 80


class Position(msgspec.Struct, frozen=True):
    """A place on the map."""

    latitude: float
    longitude: float


class Weather(msgspec.Struct, frozen=True):
    """Degrees Celsius, humidity in per cent, and a word."""

    temperature: float
    humidity: float
    description: str


class Flight(msgspec.Struct, frozen=True):
    """One flight."""

    airline: str
    departure_time: str
    arrival_time: str
    price: float


class Hotel(msgspec.Struct, frozen=True):
    """A hotel that has rooms."""

    name: str
    price_per_night: float


@read_tool(address="the address.")
def Geocoding(state: State, *, address: str) -> Position:
    """Tell where an address is."""
    need(state, address, ("Geocoding", 0), "no address is told")
    north, east = (number(10_000, word, address) / 10_000 for word in ("north", "east"))
    return Position(round(120 * north - 50, 4), round(360 * east - 180, 4))


@read_tool(latitude="degrees north.", longitude="degrees east.")
def GetWeatherForCoordinates(_state: State, *, latitude: Latitude, longitude: Longitude) -> Weather:
    """Tell the weather of a place."""
    location_key = _rounded_position(latitude, longitude)
    word = _WEATHER[number(len(_WEATHER), "weather", location_key)]
    warmth = 28 - abs(latitude) / 3 + number(100, "warmth", location_key) / 10 - 5
    return Weather(round(warmth, 1), float(30 + number(70, "humidity", location_key)), word)


@read_tool(latitude="degrees north.", longitude="degrees east.", distance="how far, in metres.")
def NearbyRestaurants(
    state: State, *, latitude: Latitude, longitude: Longitude, distance: int
) -> list[str]:
    """Tell where one can eat near a place."""
    if distance <= 0:
        exception_key = ("NearbyRestaurants", 0)
        raise refused(state, "invalid_argument", exception_key, "the distance is nothing")
    location_key = _rounded_position(latitude, longitude)
    restaurants = some(_RESTAURANTS, len(_RESTAURANTS), "restaurants", location_key)
    return [
        restaurant
        for restaurant in restaurants
        if number(3000, "distance", restaurant, location_key) <= distance
    ]


@read_tool(
    temperature="degrees Celsius.",
    humidity="in per cent.",
    weather_conditions="a word for the weather.",
)
def ClothingRecommendation(
    _state: State, *, temperature: float, humidity: float, weather_conditions: str
) -> list[str]:
    """Tell what to wear."""
    clothes = ["coat", "scarf"] if temperature < _COLD else ["jacket"]
    clothes = ["shirt"] if temperature >= _WARM else clothes
    wet = humidity > _DAMP or weather_conditions.strip().casefold() in {"rain", "snow"}
    return [*clothes, "umbrella"] if wet else clothes


@read_tool(source="from where.", destination="to where.", travel_dates="on which day or days.")
def FlightSearch(state: State, *, source: str, destination: str, travel_dates: str) -> list[Flight]:
    """Find flights."""
    for text in (source, destination, travel_dates):
        need(state, text, ("FlightSearch", 0), "from where, to where and when has to be told")
    if source.strip().casefold() == destination.strip().casefold():
        raise refused(state, "not_found", ("FlightSearch", 1), "nobody flies there from there")
    return [_flight(line, source, destination) for line in some(_LINES, 3, source, destination)]


def _flight(line: str, source: str, destination: str) -> Flight:
    hour = 6 + number(12, "hour", line, source, destination)
    hours = 1 + number(5, "hours", *sorted((source, destination)))
    price = 60 + number(400, "price", line, source, destination)
    return Flight(line, f"{hour:02}:00", f"{hour + hours:02}:00", float(price))


@read_tool(
    destination="where.",
    check_in_date="the first day, like 2023-01-31.",
    check_out_date="the last day.",
)
def HotelAvailability(
    state: State, *, destination: str, check_in_date: str, check_out_date: str
) -> list[Hotel]:
    """Find hotels that have rooms."""
    need(state, destination, ("HotelAvailability", 0), "no place is named")
    if moment(check_out_date, DAY) <= moment(check_in_date, DAY):
        exception_key = ("HotelAvailability", 1)
        raise refused(state, "invalid_argument", exception_key, "it ends before it begins")
    hotels = some(_HOTELS, len(_HOTELS), "rooms", destination)
    return [Hotel(hotel, float(50 + number(150, "price", hotel, destination))) for hotel in hotels]


@read_tool(member_name="who travels.")
def TravelStatus(state: State, *, member_name: str) -> str:
    """Tell how far a traveller has come."""
    need(state, member_name, ("TravelStatus", 0), "nobody is named")
    return _STATES[number(len(_STATES), "travel", member_name)]


def _rounded_position(latitude: float, longitude: float) -> str:
    """A place as far as tools tell places apart."""
    return f"{latitude:.2f} {longitude:.2f}"


PART = Part(tools=globals(), app=LEVEL_3)
