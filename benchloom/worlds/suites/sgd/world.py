"""Build the world of an initial state: its services as tools over their rows."""

from benchloom.core.errors import RunError
from benchloom.worlds.suites.sgd.start import Start, read_start
from benchloom.worlds.suites.sgd.tables import FROZEN, SCHEMA, fill
from benchloom.worlds.suites.sgd.tools import tool_of
from benchloom.worlds.world import World

GOALS = {
    "Banks_1.TransferMoney": "transfer some money",
    "Banks_2.TransferMoney": "transfer some money",
    "Calendar_1.AddEvent": "put an event into my calendar",
    "Events_1.BuyEventTickets": "buy tickets for an event",
    "Events_2.BuyEventTickets": "buy tickets for an event",
    "Events_3.BuyEventTickets": "buy tickets for an event",
    "Events_3.FindEvents": "find out {} of an event",
    "Homes_1.ScheduleVisit": "schedule a visit to an apartment",
    "Homes_1.FindApartment": "find out {} of an apartment to rent",
    "Homes_2.ScheduleVisit": "schedule a visit to a property",
    "Homes_2.FindHomeByArea": "find out {} of a home",
    "Hotels_1.ReserveHotel": "book a hotel room",
    "Hotels_2.BookHouse": "book a house for a holiday",
    "Hotels_2.SearchHouse": "find out {} of a house for a holiday",
    "Hotels_3.ReserveHotel": "book a hotel room",
    "Hotels_4.ReserveHotel": "book a hotel room",
    "Hotels_4.SearchHotel": "find out {} of a hotel",
    "Media_2.RentMovie": "rent a movie",
    "Media_2.FindMovies": "find out {} of a movie",
    "Media_3.PlayMovie": "watch a movie",
    "Media_3.FindMovies": "find out {} of a movie",
    "Movies_1.BuyMovieTickets": "buy tickets for a movie",
    "Movies_1.FindMovies": "find out {} of a movie",
    "Music_1.PlaySong": "play a song",
    "Music_2.PlayMedia": "play a song",
    "Music_3.PlayMedia": "play a song",
    "Music_3.LookupMusic": "find out {} of a song",
    "Payment_1.MakePayment": "send somebody money",
    "Payment_1.RequestPayment": "ask somebody for money",
    "RentalCars_1.ReserveCar": "rent a car",
    "RentalCars_1.GetCarsAvailable": "find out {} of a rental car",
    "RentalCars_2.ReserveCar": "rent a car",
    "RentalCars_3.ReserveCar": "rent a car",
    "RentalCars_3.GetCarsAvailable": "find out {} of a rental car",
    "Restaurants_1.ReserveRestaurant": "book a table at a restaurant",
    "Restaurants_2.ReserveRestaurant": "book a table at a restaurant",
    "Restaurants_2.FindRestaurants": "find out {} of a restaurant",
    "RideSharing_1.GetRide": "get a taxi",
    "RideSharing_2.GetRide": "book a cab",
    "Services_1.BookAppointment": "make an appointment with a hair stylist",
    "Services_1.FindProvider": "find out {} of a hair stylist",
    "Services_2.BookAppointment": "make an appointment with a dentist",
    "Services_3.BookAppointment": "make an appointment with a doctor",
    "Services_4.BookAppointment": "make an appointment with a therapist",
    "Services_4.FindProvider": "find out {} of a therapist",
    "Trains_1.GetTrainTickets": "buy train tickets",
    "Trains_1.FindTrains": "find out {} of a train",
    "Buses_1.BuyBusTicket": "buy bus tickets",
    "Buses_1.FindBus": "find out {} of a bus",
    "Buses_2.BuyBusTicket": "buy bus tickets",
    "Buses_3.BuyBusTicket": "buy bus tickets",
    "Buses_3.FindBus": "find out {} of a bus",
    "Alarm_1.AddAlarm": "set an alarm",
    "Flights_3.SearchOnewayFlight": "find out {} of a flight",
    "Flights_3.SearchRoundtripFlights": "find out {} of a return flight",
    "Flights_4.SearchOnewayFlight": "find out {} of a flight",
    "Flights_4.SearchRoundtripFlights": "find out {} of a return flight",
    "Movies_2.FindMovies": "find out {} of a movie",
    "Movies_3.FindMovies": "find out {} of a movie",
    "Travel_1.FindAttractions": "find out {} of a tourist attraction",
    "Weather_1.GetWeather": "find out {} on a certain day",
}

NOW = "2019-03-01T09:00:00+00:00"
"""The day of "today" in SGD's dialogues."""


def world(start: str) -> World:
    """Build the world of an initial state in JSON; raise `RunError` if it is invalid."""
    return world_of(read_start(start))


def world_of(start: Start) -> World:
    """Build the world of an initial state.

    Raises:
        RunError: two methods, arguments, rows or answers contradict each other.
    """
    names = [(world_method.service, world_method.name) for world_method in start.methods]
    if len(set(names)) != len(names):
        raise RunError("the start has two methods with the same name")
    for method in start.methods:
        if len({argument.name for argument in method.arguments}) != len(method.arguments):
            raise RunError(f"{method.service}.{method.name}: two arguments have the same name")
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
