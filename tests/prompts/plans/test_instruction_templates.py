"""Check that the offline writer's instructions are whole sentences that state every value."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from prompts.inputs.plan_parameters import label_of
from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall
from prompts.language.statements import says
from prompts.steps import Case, Sampling
from prompts.steps.instruction import STEP
from prompts.styles import PLAIN, STYLES, Style
from prompts.subject import Value
from prompts.templates.instructions import write_instruction
from prompts.templates.plan_verbs import does
from tests.prompts.plans.boat_world import STEPS, literal, plan, step, write_world


def read_path_input(folder: Path, *steps: object) -> PathInput:
    write_world(folder, plan(*steps))  # type: ignore[arg-type]  # steps by name
    (case,) = STEP.cases(folder, Sampling())
    assert isinstance(case, Case)
    return case.input


def user(name: str, text: str) -> PlannedArgument:
    """Return an argument whose value the user stated."""
    return PlannedArgument(Value(text, name, label=name.replace("_", " ")), "user")


def result(name: str, text: str, output: str, at: int = 0) -> PlannedArgument:
    """Return an argument whose value is an output of an earlier call."""
    value = Value(text, name, label=name.replace("_", " "))
    return PlannedArgument(value, "result", at, output, name)


def write_calls(*calls: PlannedCall) -> str:
    values = tuple(value for call in calls for value in call.stated_values)
    return write_instruction(PathInput((), calls, values, ()))


FERRY = PlannedCall("Ferries_1", "Find", "Find a ferry")


@pytest.mark.parametrize("style", [*STYLES, PLAIN])
def test_instruction_states_every_value_and_reveals_no_result(
    style: object, tmp_path: Path
) -> None:
    plan_input = replace(read_path_input(tmp_path, *STEPS), style=style)
    text = write_instruction(plan_input)
    assert [value.name for value in plan_input.stated if not says(text, value)] == []
    assert "Gull" not in text
    assert "Cash" not in text
    assert "that boat" in text
    assert text == write_instruction(plan_input)
    assert text[0].isupper()
    assert text[-1] in ".?"


def test_instruction_reads_like_a_human_request(tmp_path: Path) -> None:
    text = write_instruction(replace(read_path_input(tmp_path, *STEPS), style=STYLES[0]))
    wish = text.removeprefix("Needed: ").casefold()
    assert wish == (
        "find a boat in nordhafen with a sail and ketch as the boat kind without crew and hire "
        "that boat for 2 guests for 2 days with start on may 3rd."
    )


def test_repeated_call_states_only_new_values(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("harbour_city", "Ostrand"), outcome="failed")
    second = step(1, "FindBoat", literal("harbour_city", "Nordhafen"))
    text = write_instruction(read_path_input(tmp_path, first, second))
    assert "find a boat in Ostrand" in text or "Find a boat in Ostrand" in text
    assert text.count("find a boat") + text.count("Find a boat") == 1
    assert "in Nordhafen" in text


def test_plan_without_values_yields_a_request(tmp_path: Path) -> None:
    text = write_instruction(read_path_input(tmp_path, step(0, "FindBoat")))
    assert "ind a boat" in text
    assert len(text.split()) > 2


def test_shared_day_is_named_by_date_among_several(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("sail_date", "2031-05-03"))
    second = step(1, "HireBoat", literal("start_date", "2031-05-09"))
    third = replace(step(2, "FindBoat", literal("sail_date", "2031-05-03")), index=2)
    text = write_instruction(read_path_input(tmp_path, first, second, third))
    assert text.count("May 3rd") == 2
    assert "same day" not in text
    text = write_instruction(
        read_path_input(tmp_path, first, step(1, "HireBoat", literal("x", "2031-05-03")))
    )
    assert "on the same day" in text


def test_ambiguous_value_is_repeated_unless_referenced() -> None:
    open_berth, covered = user("berth_type", "open"), user("berth_type", "covered")
    look = PlannedCall("Boats_1", "CheckBerth", "Check a berth", (open_berth,))
    other = replace(look, arguments=(covered,))
    book = PlannedCall("Boats_1", "BookBerth", "Book a berth", (open_berth,))
    assert write_calls(look, other, book).count("open") == 2
    changed_call = replace(book, arguments=(covered, result("berth", "B4", "berth", 1)))
    assert write_calls(look, other, changed_call).count("covered") == 1


def test_call_with_fewer_values_is_not_a_repetition() -> None:
    artist, genre = user("artist", "Ada Reed"), user("genre", "Folk")
    first = PlannedCall("Songs_1", "Find", "Find a song", (artist, genre))
    text = write_calls(first, replace(first, arguments=(genre,)))
    assert "again" not in text
    assert "same" not in text
    assert text.count("Folk") == 2
    assert text.count("Ada Reed") == 1


def test_intents_date_ranges_devices_and_switches_are_worded() -> None:
    rent = PlannedCall(
        "Homes_2", "Find", "Search for a boat to rent or buy", (user("intent", "rent"),)
    )
    assert "a boat to rent" in write_calls(rent)
    assert "buy" not in write_calls(rent)
    span = PlannedCall(
        "Boats_1", "Hire", "Hire a boat",
        (user("end_date", "2019-03-10"), user("start_date", "2019-03-08")),
    )  # fmt: skip
    assert "from March 8th to March 10th" in write_calls(span)
    play = PlannedCall("Songs_1", "Play", "Play a song", (user("device", "Patio"),))
    assert "on the Patio device" in write_calls(play)
    play = replace(play, arguments=(user("device", "bedroom speaker"),))
    assert "on the bedroom speaker" in write_calls(play)
    assert "speaker device" not in write_calls(play)
    bar = PlannedCall("Bars_1", "Find", "Find a bar", (user("city", "Nordhafen"),))
    served = replace(bar, arguments=(*bar.arguments, user("serves_alcohol", "True")))
    text = write_calls(bar, served)
    assert "for ones that serve alcohol" in text


def test_switch_phrase_omits_yes_or_no() -> None:
    assert label_of("lunch_served_yes_or_no") == "lunch served"
    assert label_of("pets_yes_no") == "pets"
    assert label_of("yes_no") == "yes no"
    served = Value("True", "lunch_served_yes_no", label=label_of("lunch_served_yes_no"))
    text = write_calls(
        PlannedCall("Boats_1", "Find", "Find a boat", (PlannedArgument(served, "user"),))
    )
    assert "with lunch served" in text
    assert "yes" not in text


def test_that_day_refers_to_the_latest_date() -> None:
    race = PlannedCall("Races_1", "Dates", "Get dates", (user("race_name", "Gull Cup"),))
    ferry = replace(FERRY, arguments=(user("to_town", "Ostrand"), user("date", "2031-05-02")))
    seats = PlannedCall(
        "Races_1", "Buy", "Buy seats for a race",
        (result("date", "2031-05-03", "date"), result("race_name", "Gull Cup", "race")),
    )  # fmt: skip
    text = write_calls(race, ferry, seats)
    assert "that day" not in text
    assert "for that race on its date" in text
    dated_seats = replace(seats, description="Buy seats", arguments=seats.arguments[:1])
    assert "on the day that you find" in write_calls(race, ferry, dated_seats)
    assert "on the day of the race" in write_calls(race, ferry, dated_seats, seats)
    named_seats = replace(seats, arguments=(*dated_seats.arguments, user("race_name", "Gull Cup")))
    assert "for that race on its date" in write_calls(race, ferry, named_seats)
    race_query = replace(race, arguments=(result("race_name", "Gull Cup", "race"),))
    both = (
        result("date", "2031-05-03", "date", 1),
        result("race_name", "Gull Cup", "race"),
    )
    assert "for that race on its date" in write_calls(
        ferry, race_query, replace(seats, arguments=both)
    )
    same = replace(ferry, arguments=(user("date", "2031-05-03"),))
    assert "on that day" in write_calls(race, same, seats)
    # A date found in between is the latest, so the date stated before it is named in full.
    back = PlannedCall("Ferries_1", "Return", "Find a way back", (user("date", "2031-05-02"),))
    assert write_calls(race, ferry, seats, back).count("May 2nd") == 2


def test_repeated_call_states_every_changed_parameter() -> None:
    def ferry(start: str, end: str) -> PlannedCall:
        return replace(FERRY, arguments=(user("from_town", start), user("to_town", end)))

    text = write_calls(ferry("Ostrand", "Kiel"), ferry("Ostrand", "Lund"), ferry("Kiel", "Lund"))
    assert text.count("from Kiel") == 1
    assert "once more" not in text
    # The way back names both ends, since no phrase refers to either of them.
    trip = PlannedCall("Ferries_1", "Buy", "Buy a ticket", ferry("Lund", "Ostrand").arguments)
    text = write_calls(ferry("Ostrand", "Lund"), trip)
    assert "from Lund to Ostrand" in text


def test_superseded_search_is_requested_only_once() -> None:
    find = replace(FERRY, arguments=(user("to_town", "Lund"),), outcome="superseded")
    text = write_calls(find, replace(find, outcome="ok"))
    assert text.count("erry") == 1
    assert " and " not in text
    assert "once more" not in text
    text = write_calls(replace(find, outcome="failed"), find)
    assert "if that does not work out, try it once more" in text
    offered_search = replace(find, arguments=(*find.arguments, result("time", "10:20", "time")))
    retried_search = replace(
        find, arguments=(*find.arguments, user("time", "10:15")), outcome="retried"
    )
    assert "take what is offered instead" in write_calls(retried_search, offered_search)
    assert "do that once more" in write_calls(replace(find, outcome="ok"), find)


def test_date_added_to_a_repeated_call_follows_for() -> None:
    tide = PlannedCall("Tides_1", "Get", "Get the tide", (user("town", "Lund"),))
    dated = replace(tide, arguments=(*tide.arguments, user("date", "2031-05-09")))
    assert "the tide in Lund and again for May 9th" in write_calls(tide, dated)
    later = replace(tide, arguments=(*tide.arguments, user("date", "2031-05-12")))
    assert "for May 12th" in write_calls(dated, later)


def test_account_type_is_stated_for_each_account() -> None:
    look = PlannedCall("Banks_1", "Look", "Check the balance", (user("account_type", "current"),))
    send = PlannedCall("Banks_1", "Send", "Send money", (user("payee_account_type", "current"),))
    assert write_calls(look, send).count("current") == 2


def test_absences_devices_and_human_actions_are_worded() -> None:
    rent = PlannedCall("Films_1", "Rent", "Rent a film", (user("subtitle_language", "None"),))
    text = write_calls(rent)
    assert "without subtitles" in text
    assert "None" not in text
    watch = PlannedCall("Films_1", "Watch", "Watch the film", (result("film", "Gulls", "film"),))
    assert "play that film" in write_calls(watch)
    play = PlannedCall("Songs_1", "Play", "Play the song on the device")
    assert "device" not in write_calls(play)
    assert "on the Patio device" in write_calls(replace(play, arguments=(user("device", "Patio"),)))
    out = PlannedCall("Films_1", "Find", "Find out funny films by genre")
    assert "ind funny films" in write_calls(out)
    airline = PlannedCall("Air_1", "Find", "Search for flights", (result("x", "Gull", "airlines"),))
    assert "that airline" in write_calls(airline)
    assert "airlines" not in write_calls(airline)


@pytest.mark.parametrize(
    ("api", "description", "order"),
    [
        ("GetTide", "Tide of a harbour", "get a tide"),
        ("GetWeather", "Weather of a harbour", "get the weather"),
        ("FindBoats", "Boats that are free", "find boats"),
        ("FindBoats", "What is there to sail", "find boats"),
        ("SearchMooring", "The moorings of a town", "search for a mooring"),
        ("book_ferry_ticket", "Ferries", "book a ferry ticket"),
        ("LookupShanty", "", "look up a shanty"),
        ("GetListOfBerths", "List of the berths", "get a list of berths"),
        ("FindBoatsByHarbour", "Boats", "find boats"),
        ("SendMoneyToCrew", "Money for the crew", "send money"),
        ("MakePayment", "A payment", "make a payment"),
        ("WatchRace", "The race of a day", "play a race"),
        ("Sail", "Reserves a selected berth for given dates", "reserve a berth"),
        ("Sail", "Booking a berth", "book a berth"),
        ("Sail", "Reserves or cancels a berth", "reserve or cancel a berth"),
        ("Sail", "Reserve and", ""),
    ],
)
def test_call_is_worded_by_name_or_description_with_a_verb(
    api: str, description: str, order: str
) -> None:
    assert does(PlannedCall("Boats_1", api, description, (), api)) == order


@pytest.mark.parametrize("style", [*STYLES, PLAIN])
@pytest.mark.parametrize(
    ("api", "description", "need"),
    [
        ("tide_now", "Tide of a harbour", "the tide of a harbour"),
        ("ferries", "Ferries that go there", "ferries that go there"),
        ("Berths", "The berths", "the berths"),
        ("BoatHelm", "What is there to sail", "help with boat helm"),
        ("MoorYacht", "Moor the yacht", "help with moor yacht"),
        ("skies_api_v2", "Whether it rains", "help with skies api v2"),
    ],
)
def test_call_without_a_verb_becomes_a_need(
    style: Style, api: str, description: str, need: str
) -> None:
    call = PlannedCall("Boats_1", api, description, (user("town", "Lund"),))
    plan_input = PathInput((), (call,), call.stated_values, (), style=style)
    assert write_instruction(plan_input) == f"I need {need} in Lund."


def test_needs_and_orders_are_joined_in_a_sentence() -> None:
    tide = PlannedCall("Tides_1", "Tide", "Tide of a harbour", (user("town", "Lund"),))
    ferry = replace(FERRY, arguments=(user("to_town", "Lund"),))
    assert write_calls(tide, ferry) == (
        "I need the tide of a harbour in Lund, and please find a ferry there."
    )
    assert write_calls(ferry, tide) == (
        "Please find a ferry to Lund, and I need the tide of a harbour there."
    )
    other = replace(tide, arguments=(user("town", "Kiel"),))
    assert write_calls(tide, other, other, ferry) == (
        "I need the tide of a harbour in Lund and the tide of a harbour in Kiel, and please find "
        "a ferry to Lund."
    )
    assert write_calls(replace(tide, outcome="failed"), tide).count("tide") == 1


def test_artist_of_a_referenced_song_is_omitted() -> None:
    find = PlannedCall("Songs_1", "Find", "Find a song", (user("genre", "Folk"),))
    song, artist = result("song", "Gulls", "song"), result("artist", "Ada Reed", "artist")
    play = PlannedCall("Songs_1", "Play", "Play the song", (artist, song))
    text = write_calls(find, play)
    assert "play that song" in text
    assert "by that artist" not in text
    more = PlannedCall("Songs_1", "More", "Find an album", (artist,))
    assert "find an album by that artist" in write_calls(find, more)


def test_sent_location_refers_to_the_found_place() -> None:
    find = PlannedCall("Races_1", "Find", "Find a race", (user("town", "Lund"),))
    quay = result("location", "North Quay", "quay")
    send = PlannedCall("Post_1", "Share", "Send your location to a contact", (quay,))
    message_call = replace(send, arguments=(quay, user("contact_name", "Ann")))
    assert "send that quay to Ann" in write_calls(find, message_call)
    assert "send its address" in write_calls(
        find, replace(send, arguments=(result("location", "4 Pier Road", "address"),))
    )
