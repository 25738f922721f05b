"""Build the world of an initial state, in which the methods of services are tools."""

from benchloom.core.errors import RunError
from benchloom.worlds.suites.sgd.start import Start, read_start
from benchloom.worlds.suites.sgd.tables import FROZEN, SCHEMA, fill
from benchloom.worlds.suites.sgd.tools import tool_of
from benchloom.worlds.world import World

_METHODS_BY_GOAL = {
    "transfer some money": "Banks_1.TransferMoney Banks_2.TransferMoney",
    "put an event into my calendar": "Calendar_1.AddEvent",
    "buy tickets for an event": (
        "Events_1.BuyEventTickets Events_2.BuyEventTickets Events_3.BuyEventTickets"
    ),
    "find out {} of an event": "Events_3.FindEvents",
    "schedule a visit to an apartment": "Homes_1.ScheduleVisit",
    "find out {} of an apartment to rent": "Homes_1.FindApartment",
    "schedule a visit to a property": "Homes_2.ScheduleVisit",
    "find out {} of a home": "Homes_2.FindHomeByArea",
    "book a hotel room": "Hotels_1.ReserveHotel Hotels_3.ReserveHotel Hotels_4.ReserveHotel",
    "book a house for a holiday": "Hotels_2.BookHouse",
    "find out {} of a house for a holiday": "Hotels_2.SearchHouse",
    "find out {} of a hotel": "Hotels_4.SearchHotel",
    "rent a movie": "Media_2.RentMovie",
    "find out {} of a movie": (
        "Media_2.FindMovies Media_3.FindMovies Movies_1.FindMovies Movies_2.FindMovies "
        "Movies_3.FindMovies"
    ),
    "watch a movie": "Media_3.PlayMovie",
    "buy tickets for a movie": "Movies_1.BuyMovieTickets",
    "play a song": "Music_1.PlaySong Music_2.PlayMedia Music_3.PlayMedia",
    "find out {} of a song": "Music_3.LookupMusic",
    "send somebody money": "Payment_1.MakePayment",
    "ask somebody for money": "Payment_1.RequestPayment",
    "rent a car": "RentalCars_1.ReserveCar RentalCars_2.ReserveCar RentalCars_3.ReserveCar",
    "find out {} of a rental car": "RentalCars_1.GetCarsAvailable RentalCars_3.GetCarsAvailable",
    "book a table at a restaurant": (
        "Restaurants_1.ReserveRestaurant Restaurants_2.ReserveRestaurant"
    ),
    "find out {} of a restaurant": "Restaurants_2.FindRestaurants",
    "get a taxi": "RideSharing_1.GetRide",
    "book a cab": "RideSharing_2.GetRide",
    "make an appointment with a hair stylist": "Services_1.BookAppointment",
    "find out {} of a hair stylist": "Services_1.FindProvider",
    "make an appointment with a dentist": "Services_2.BookAppointment",
    "make an appointment with a doctor": "Services_3.BookAppointment",
    "make an appointment with a therapist": "Services_4.BookAppointment",
    "find out {} of a therapist": "Services_4.FindProvider",
    "buy train tickets": "Trains_1.GetTrainTickets",
    "find out {} of a train": "Trains_1.FindTrains",
    "buy bus tickets": "Buses_1.BuyBusTicket Buses_2.BuyBusTicket Buses_3.BuyBusTicket",
    "find out {} of a bus": "Buses_1.FindBus Buses_3.FindBus",
    "set an alarm": "Alarm_1.AddAlarm",
    "find out {} of a flight": "Flights_3.SearchOnewayFlight Flights_4.SearchOnewayFlight",
    "find out {} of a return flight": (
        "Flights_3.SearchRoundtripFlights Flights_4.SearchRoundtripFlights"
    ),
    "find out {} of a tourist attraction": "Travel_1.FindAttractions",
    "find out {} on a certain day": "Weather_1.GetWeather",
}
GOALS = {name: goal for goal, names in _METHODS_BY_GOAL.items() for name in names.split()}

NOW = "2019-03-01T09:00:00+00:00"
"""The time of the world's clock, on the day that SGD's dialogues call today."""


def world(start: str) -> World:
    """Build a world from the JSON of an initial state; raise `RunError` if the state is invalid."""
    return world_of(read_start(start))


def world_of(start: Start) -> World:
    """Build the world of an initial state.

    Raises:
        RunError: two methods or arguments have the same name, or rows contradict each other.
    """
    names: set[str] = set()
    for method in start.methods:
        name = f"{method.service}.{method.name}"
        if name in names:
            raise RunError(f"{name}: the initial state has two methods with this name")
        if len({argument.name for argument in method.arguments}) != len(method.arguments):
            raise RunError(f"{name}: two arguments of this method have the same name")
        names.add(name)
    sgd_world = World(
        "sgd",
        NOW,
        SCHEMA,
        lambda state: fill(state, start),
        [tool_of(world_method) for world_method in start.methods],
        frozen=FROZEN,
        goals=GOALS,
    )
    _ = sgd_world.start  # contradicting rows raise here, not at the first call
    return sgd_world
