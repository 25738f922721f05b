"""Actions on locations, addresses and weather; the device's location is a supplied answer."""

from benchloom.device.call import Call, action, answered, passed_on, property_of_each
from benchloom.device.items import Content, Item, Location, MadeAnswer
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
    """Return the location in the argument, or a supplied answer if it is chosen at run time.

    Such an answer, for example for the current location, is read from a file or simulated.
    """
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


def _place_or_answer(item: Item) -> Item:
    return item if isinstance(item, MadeAnswer) else place_of(item)


location_property = property_of_each(
    ["properties.locations"], lambda item: [_place_or_answer(item)]
)
search_maps, directions = (
    passed_on(
        name,
        effect,
        {"mode": ("WFGetDirectionsActionMode", "Driving")},
        content="WFInput",
        texts="places",
    )
    for name, effect in (("searchmaps", "searched maps"), ("getdirections", "showed directions"))
)


@action("detect.address")
def addresses(call: Call) -> Content:
    """Return the addresses of the input; each text counts as an address."""
    return tuple(
        item if isinstance(item, Location | MadeAnswer) else Location(text, street=text)
        for item in call.input()
        if (text := text_of(item).strip())
    )
