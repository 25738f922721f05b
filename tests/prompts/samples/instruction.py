"""Provide a sample of the instruction step, about a table for two and a cab to it."""

import msgspec

from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall
from prompts.steps.instruction import InstructionReply
from prompts.subject import Value
from tests.prompts.samples.base import Sample


def _sample() -> Sample[PathInput]:
    city = PlannedArgument(Value("Nordhafen", "city", label="city"), "user")
    guests = Value("2", "guests", label="guests", about="How many people will sit at it")
    table = PlannedCall(
        "Eateries", "ReserveTable", "Reserves a table", (city, PlannedArgument(guests, "user"))
    )
    time = PlannedArgument(Value("19:30", "time", label="time"), "user")
    quay = Value("14 Quay Lane", "to", label="destination")
    ride = PlannedCall(
        "Rides_2",
        "GetRide",
        "Orders a cab",
        (time, PlannedArgument(quay, "result", 0, "address")),
    )
    step_input = PathInput(
        ("I want to eat out in Nordhafen", "two of us, and a cab there at half past seven"),
        (table, ride),
        (*table.stated_values, *ride.stated_values),
        (quay,),
        ("ReserveTable", "GetRide", "Rides_2"),
        (table.description, ride.description),
    )
    text = (
        "Reserve a table for two at a place in Nordhafen and get us a cab to its address "
        "at 7:30 pm."
    )
    reply = msgspec.json.encode(InstructionReply(text)).decode()
    return Sample(step_input, (reply,), step_input.utterances[0])


SAMPLE = _sample()
