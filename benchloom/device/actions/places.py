"""Locations and weather; the current location and the weather come from the supplied answers."""

from benchloom.device.call import Call, action, answered
from benchloom.device.items import Content, Item, Location, MadeAnswer, spread
from benchloom.device.items.coercion import text_of
from benchloom.device.items.item_types import place_of

current_location = answered("getcurrentlocation", "Current location")
parked_car = answered("getparkedcarlocation", "Parked car")
current_weather = answered("weather.currentconditions", "Current weather")
forecast = answered(
    "weather.forecast", "Forecast: {WFWeatherForecastType}", WFWeatherForecastType="Daily"
)
travel_time = answered(
    "gettraveltime", "Travel time: {WFGetDirectionsActionMode}", WFGetDirectionsActionMode="Driving"
)


@action("location")
def location(call: Call) -> Content:
    """Return the location in the argument, or a supplied answer if it is chosen at run time."""
    results: list[Item] = []
    for item in call.content("WFLocation"):
        if isinstance(item, dict):
            results += call.run.ask("Current location")[0]
        else:
            results.append(_place_or_answer(item))
    return tuple(results) if call.has("WFLocation") else call.run.ask("Location")[0]


@action("address")
def street_address(call: Call) -> Content:
    """Return a location with the street address in the arguments."""
    first, second = call.text("WFAddressLine1"), call.text("WFAddressLine2")
    return (
        Location(
            first,
            street="\n".join(line for line in (first, second) if line),
            city=call.text("WFCity"),
            state=call.text("WFState"),
            postal_code=call.text("WFPostalCode"),
            country=call.text("WFCountry"),
        ),
    )


@action("properties.locations")
def location_property(call: Call) -> Content:
    """Return a property of each location, by default its name."""
    values = call.properties(map(_place_or_answer, call.input()))
    return tuple(part for value in values for part in spread(value))


def _place_or_answer(item: Item) -> Item:
    return item if isinstance(item, MadeAnswer) else place_of(item)


def _opened(call: Call, kind: str) -> Content:
    content = call.input()
    names = [text_of(item) for item in content]
    mode = call.text("WFGetDirectionsActionMode", "Driving")
    call.run.effect(kind, {"places": names, "mode": mode})
    return content


@action("searchmaps")
def search_maps(call: Call) -> Content:
    """Log a search in Maps; return the input."""
    return _opened(call, "searched maps")


@action("getdirections")
def directions(call: Call) -> Content:
    """Log that directions to a location are shown; return the input."""
    return _opened(call, "showed directions")
