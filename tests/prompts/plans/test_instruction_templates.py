"""Instructions of the offline writer: whole sentences that say every value."""

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


def given(folder: Path, *steps: object) -> PathInput:
    write_world(folder, plan(*steps))  # type: ignore[arg-type]  # steps by name
    (case,) = STEP.cases(folder, Sampling())
    assert isinstance(case, Case)
    return case.input


def user(name: str, text: str) -> PlannedArgument:
    return PlannedArgument(Value(text, name, label=name.replace("_", " ")), "user")


def result(name: str, text: str, output: str, at: int = 0) -> PlannedArgument:
    value = Value(text, name, label=name.replace("_", " "))
    return PlannedArgument(value, "result", at, output, name)


def written(*calls: PlannedCall) -> str:
    values = tuple(value for call in calls for value in call.stated_values)
    return write_instruction(PathInput((), calls, values, ()))


FERRY = PlannedCall("Ferries_1", "Find", "Find a ferry")


@pytest.mark.parametrize("style", [*STYLES, PLAIN])
def test_every_value_is_said_and_nothing_is_given_away(style: object, tmp_path: Path) -> None:
    plan_input = replace(given(tmp_path, *STEPS), style=style)
    text = write_instruction(plan_input)
    assert [value.name for value in plan_input.stated if not says(text, value)] == []
    assert "Gull" not in text
    assert "Cash" not in text
    assert "that boat" in text
    assert text == write_instruction(plan_input)
    assert text[0].isupper()
    assert text[-1] in ".?"


def test_the_sentence_reads_as_people_ask(tmp_path: Path) -> None:
    text = write_instruction(replace(given(tmp_path, *STEPS), style=STYLES[0]))
    wish = text.removeprefix("Needed: ").casefold()
    assert wish == (
        "find a boat in nordhafen with a sail and ketch as the boat kind without crew and hire "
        "that boat for 2 guests for 2 days with start on may 3rd."
    )


def test_a_call_that_is_made_again_says_only_what_is_new(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("harbour_city", "Ostrand"), outcome="failed")
    second = step(1, "FindBoat", literal("harbour_city", "Nordhafen"))
    text = write_instruction(given(tmp_path, first, second))
    assert "find a boat in Ostrand" in text or "Find a boat in Ostrand" in text
    assert text.count("find a boat") + text.count("Find a boat") == 1
    assert "in Nordhafen" in text


def test_a_plan_without_any_value_is_still_a_request(tmp_path: Path) -> None:
    text = write_instruction(given(tmp_path, step(0, "FindBoat")))
    assert "ind a boat" in text
    assert len(text.split()) > 2


def test_a_shared_day_is_said_by_its_date_where_there_were_several(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("sail_date", "2031-05-03"))
    second = step(1, "HireBoat", literal("start_date", "2031-05-09"))
    third = replace(step(2, "FindBoat", literal("sail_date", "2031-05-03")), index=2)
    text = write_instruction(given(tmp_path, first, second, third))
    assert text.count("May 3rd") == 2
    assert "same day" not in text
    text = write_instruction(
        given(tmp_path, first, step(1, "HireBoat", literal("x", "2031-05-03")))
    )
    assert "on the same day" in text


def test_what_was_said_of_two_is_said_again_where_nothing_points_at_it() -> None:
    open_berth, covered = user("berth_type", "open"), user("berth_type", "covered")
    look = PlannedCall("Boats_1", "CheckBerth", "Check a berth", (open_berth,))
    other = replace(look, arguments=(covered,))
    book = PlannedCall("Boats_1", "BookBerth", "Book a berth", (open_berth,))
    assert written(look, other, book).count("open") == 2
    changed_call = replace(book, arguments=(covered, result("berth", "B4", "berth", 1)))
    assert written(look, other, changed_call).count("covered") == 1


def test_a_call_that_leaves_a_value_out_is_not_the_same_again() -> None:
    artist, genre = user("artist", "Ada Reed"), user("genre", "Folk")
    first = PlannedCall("Songs_1", "Find", "Find a song", (artist, genre))
    text = written(first, replace(first, arguments=(genre,)))
    assert "again" not in text
    assert "same" not in text
    assert text.count("Folk") == 2
    assert text.count("Ada Reed") == 1


def test_one_of_two_days_of_several_and_devices_are_worded() -> None:
    rent = PlannedCall(
        "Homes_2", "Find", "Search for a boat to rent or buy", (user("intent", "rent"),)
    )
    assert "a boat to rent" in written(rent)
    assert "buy" not in written(rent)
    span = PlannedCall(
        "Boats_1", "Hire", "Hire a boat",
        (user("end_date", "2019-03-10"), user("start_date", "2019-03-08")),
    )  # fmt: skip
    assert "from March 8th to March 10th" in written(span)
    play = PlannedCall("Songs_1", "Play", "Play a song", (user("device", "Patio"),))
    assert "on the Patio device" in written(play)
    play = replace(play, arguments=(user("device", "bedroom speaker"),))
    assert "on the bedroom speaker" in written(play)
    assert "speaker device" not in written(play)
    bar = PlannedCall("Bars_1", "Find", "Find a bar", (user("city", "Nordhafen"),))
    served = replace(bar, arguments=(*bar.arguments, user("serves_alcohol", "True")))
    text = written(bar, served)
    assert "for ones that serve alcohol" in text


def test_switches_that_are_asked_for_are_told_without_the_question() -> None:
    assert label_of("lunch_served_yes_or_no") == "lunch served"
    assert label_of("pets_yes_no") == "pets"
    assert label_of("yes_no") == "yes no"
    served = Value("True", "lunch_served_yes_no", label=label_of("lunch_served_yes_no"))
    text = written(
        PlannedCall("Boats_1", "Find", "Find a boat", (PlannedArgument(served, "user"),))
    )
    assert "with lunch served" in text
    assert "yes" not in text


def test_that_day_is_the_last_one_said() -> None:
    race = PlannedCall("Races_1", "Dates", "Get dates", (user("race_name", "Gull Cup"),))
    ferry = replace(FERRY, arguments=(user("to_town", "Ostrand"), user("date", "2031-05-02")))
    seats = PlannedCall(
        "Races_1", "Buy", "Buy seats for a race",
        (result("date", "2031-05-03", "date"), result("race_name", "Gull Cup", "race")),
    )  # fmt: skip
    text = written(race, ferry, seats)
    assert "that day" not in text
    assert "for that race on its date" in text
    dated_seats = replace(seats, description="Buy seats", arguments=seats.arguments[:1])
    assert "on the day that you find" in written(race, ferry, dated_seats)
    assert "on the day of the race" in written(race, ferry, dated_seats, seats)
    named_seats = replace(seats, arguments=(*dated_seats.arguments, user("race_name", "Gull Cup")))
    assert "for that race on its date" in written(race, ferry, named_seats)
    race_query = replace(race, arguments=(result("race_name", "Gull Cup", "race"),))
    both = (
        result("date", "2031-05-03", "date", 1),
        result("race_name", "Gull Cup", "race"),
    )
    assert "for that race on its date" in written(ferry, race_query, replace(seats, arguments=both))
    same = replace(ferry, arguments=(user("date", "2031-05-03"),))
    assert "on that day" in written(race, same, seats)
    # A day found in between is the last one: the one said before goes by its date.
    back = PlannedCall("Ferries_1", "Return", "Find a way back", (user("date", "2031-05-02"),))
    assert written(race, ferry, seats, back).count("May 2nd") == 2


def test_a_call_made_again_says_all_that_differs_by_parameter() -> None:
    def ferry(start: str, end: str) -> PlannedCall:
        return replace(FERRY, arguments=(user("from_town", start), user("to_town", end)))

    text = written(ferry("Ostrand", "Kiel"), ferry("Ostrand", "Lund"), ferry("Kiel", "Lund"))
    assert text.count("from Kiel") == 1
    assert "once more" not in text
    # The way back names the end that nothing said stands for.
    trip = PlannedCall("Ferries_1", "Buy", "Buy a ticket", ferry("Lund", "Ostrand").arguments)
    text = written(ferry("Ostrand", "Lund"), trip)
    assert "from Lund to Ostrand" in text


def test_nobody_asks_twice_for_the_same_search() -> None:
    find = replace(FERRY, arguments=(user("to_town", "Lund"),), outcome="superseded")
    text = written(find, replace(find, outcome="ok"))
    assert text.count("erry") == 1
    assert " and " not in text
    assert "once more" not in text
    text = written(replace(find, outcome="failed"), find)
    assert "if that does not work out, try it once more" in text
    taken = replace(find, arguments=(*find.arguments, result("time", "10:20", "time")))
    retried_search = replace(
        find, arguments=(*find.arguments, user("time", "10:15")), outcome="retried"
    )
    assert "take what is offered instead" in written(retried_search, taken)
    assert "do that once more" in written(replace(find, outcome="ok"), find)


def test_a_day_that_comes_to_a_call_made_again_is_what_it_is_for() -> None:
    tide = PlannedCall("Tides_1", "Get", "Get the tide", (user("town", "Lund"),))
    dated = replace(tide, arguments=(*tide.arguments, user("date", "2031-05-09")))
    assert "the tide in Lund and again for May 9th" in written(tide, dated)
    later = replace(tide, arguments=(*tide.arguments, user("date", "2031-05-12")))
    assert "for May 12th" in written(dated, later)


def test_the_kind_of_one_account_says_nothing_of_another() -> None:
    look = PlannedCall("Banks_1", "Look", "Check the balance", (user("account_type", "current"),))
    send = PlannedCall("Banks_1", "Send", "Send money", (user("payee_account_type", "current"),))
    assert written(look, send).count("current") == 2


def test_none_of_a_thing_devices_and_what_only_people_do() -> None:
    rent = PlannedCall("Films_1", "Rent", "Rent a film", (user("subtitle_language", "None"),))
    text = written(rent)
    assert "without subtitles" in text
    assert "None" not in text
    watch = PlannedCall("Films_1", "Watch", "Watch the film", (result("film", "Gulls", "film"),))
    assert "play that film" in written(watch)
    play = PlannedCall("Songs_1", "Play", "Play the song on the device")
    assert "device" not in written(play)
    assert "on the Patio device" in written(replace(play, arguments=(user("device", "Patio"),)))
    out = PlannedCall("Films_1", "Find", "Find out funny films by genre")
    assert "ind funny films" in written(out)
    airline = PlannedCall("Air_1", "Find", "Search for flights", (result("x", "Gull", "airlines"),))
    assert "that airline" in written(airline)
    assert "airlines" not in written(airline)


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
def test_a_call_is_told_by_what_begins_with_a_verb(api: str, description: str, order: str) -> None:
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
def test_what_no_verb_tells_is_needed(style: Style, api: str, description: str, need: str) -> None:
    call = PlannedCall("Boats_1", api, description, (user("town", "Lund"),))
    plan_input = PathInput((), (call,), call.stated_values, (), style=style)
    assert write_instruction(plan_input) == f"I need {need} in Lund."


def test_things_and_orders_stand_beside_each_other() -> None:
    tide = PlannedCall("Tides_1", "Tide", "Tide of a harbour", (user("town", "Lund"),))
    ferry = replace(FERRY, arguments=(user("to_town", "Lund"),))
    assert written(tide, ferry) == (
        "I need the tide of a harbour in Lund, and please find a ferry there."
    )
    assert written(ferry, tide) == (
        "Please find a ferry to Lund, and I need the tide of a harbour there."
    )
    other = replace(tide, arguments=(user("town", "Kiel"),))
    assert written(tide, other, other, ferry) == (
        "I need the tide of a harbour in Lund and the tide of a harbour in Kiel, and please find "
        "a ferry to Lund."
    )
    assert written(replace(tide, outcome="failed"), tide).count("tide") == 1


def test_who_made_the_thing_that_is_pointed_at_goes_without_saying() -> None:
    find = PlannedCall("Songs_1", "Find", "Find a song", (user("genre", "Folk"),))
    song, artist = result("song", "Gulls", "song"), result("artist", "Ada Reed", "artist")
    play = PlannedCall("Songs_1", "Play", "Play the song", (artist, song))
    text = written(find, play)
    assert "play that song" in text
    assert "by that artist" not in text
    more = PlannedCall("Songs_1", "More", "Find an album", (artist,))
    assert "find an album by that artist" in written(find, more)


def test_a_place_that_is_sent_is_the_one_that_was_found() -> None:
    find = PlannedCall("Races_1", "Find", "Find a race", (user("town", "Lund"),))
    quay = result("location", "North Quay", "quay")
    send = PlannedCall("Post_1", "Share", "Send your location to a contact", (quay,))
    message_call = replace(send, arguments=(quay, user("contact_name", "Ann")))
    assert "send that quay to Ann" in written(find, message_call)
    assert "send its address" in written(
        find, replace(send, arguments=(result("location", "4 Pier Road", "address"),))
    )
