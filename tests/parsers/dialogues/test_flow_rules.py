"""Flow mode's rules, each on a dialogue made for it."""

from benchloom.core.records import PlanningPath
from tests.parsers.dialogues.inn_dialogues import Json, act, plan, schema, system, user

ROWS: tuple[Json, ...] = (
    {"inn": "Blue Heron", "town": "Lomm", "stars": "2", "rooms": "2", "day": "2031-05-04"},
    {"inn": "Old Mill", "town": "Lomm", "stars": "3", "rooms": "1", "kind": "Grand"},
)
SEARCH = ("FindInns", {"town": "Lomm"})


def search(*offers: list[Json], rows: tuple[Json, ...] = ROWS) -> tuple[Json, Json]:
    return user(act("INFORM", town="Lomm")), system(*offers, call=SEARCH, rows=rows)


def edges(path: PlanningPath) -> list[tuple[int, str, int, str, str]]:
    return [(e.from_step, e.output, e.to_step, e.argument, e.evidence) for e in path.edges]


def origin(path: PlanningPath, step: int, name: str) -> tuple[str, int | None]:
    (argument,) = [a for a in path.steps[step].arguments if a.name == name]
    return argument.provenance, argument.turn


def booked(**arguments: str) -> Json:
    call_arguments = {"inn": "Blue Heron", "hour": "19:00", "rooms": "2", **arguments}
    return system(
        act("NOTIFY_SUCCESS"), call=("BookInn", call_arguments), rows=({"inn": "Blue Heron"},)
    )


def test_a_count_said_of_another_slot_is_no_origin() -> None:
    path = plan(
        *search(act("OFFER", inn="Blue Heron", stars="2")),
        user(act("INFORM", rooms="2", hour="19:00")),
        booked(),
    )
    assert edges(path) == [(0, "inn", 1, "inn", "offered/same_slot")]
    assert origin(path, 1, "rooms") == ("user", 2)


def test_a_count_the_system_offered_for_this_slot_is_one() -> None:
    path = plan(
        *search(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("INFORM", hour="19:00")),
        booked(),
    )
    assert (0, "rooms", 1, "rooms", "offered/same_slot") in edges(path)


def test_a_count_the_user_then_asks_for_is_the_user_s() -> None:
    path = plan(
        *search(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("INFORM", rooms="2", hour="19:00")),
        booked(),
    )
    assert origin(path, 1, "rooms") == ("user", 2)


def test_a_count_the_user_selects_comes_from_the_result() -> None:
    path = plan(
        *search(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("SELECT", rooms="2"), act("INFORM", hour="19:00")),
        booked(),
    )
    assert origin(path, 1, "rooms") == ("result", 1)


def test_a_name_the_user_repeats_comes_from_the_result() -> None:
    path = plan(
        *search(act("OFFER", inn="Blue Heron")),
        user(act("INFORM", inn="Blue Heron", rooms="2", hour="19:00")),
        booked(),
    )
    assert origin(path, 1, "inn") == ("result", 1)


def test_a_date_of_another_meaning_that_the_user_states_is_the_user_s() -> None:
    trip = system(call=("BuyTrip", {"leaving_date": "2031-05-04"}))
    path = plan(
        *search(act("OFFER", inn="Blue Heron", day="2031-05-04")),
        user(act("INFORM", leaving_date="2031-05-04"), service="Trips_1"),
        trip,
    )
    assert edges(path) == []
    assert origin(path, 1, "leaving_date") == ("user", 2)


def test_the_producer_s_default_is_taken_where_the_consumer_has_none() -> None:
    turns = (
        *search(act("OFFER", inn="Old Mill")),
        user(act("INFORM", hour="19:00")),
        booked(inn="Old Mill", rooms="1"),
    )
    assert origin(plan(*turns), 1, "rooms") == ("result", 1)
    assert origin(plan(*turns, of=schema(book_rooms="1")), 1, "rooms") == ("default", None)


def test_the_default_of_another_service_stays_a_default() -> None:
    trip = system(call=("BuyTrip", {"leaving_date": "2031-05-09", "rooms": "1"}))
    path = plan(
        *search(act("OFFER", inn="Old Mill")),
        user(act("INFORM", leaving_date="2031-05-09"), service="Trips_1"),
        trip,
    )
    assert origin(path, 1, "rooms") == ("default", None)


def counter_offer(*acts: list[Json]) -> tuple[Json, ...]:
    """The booking fails at 19:00, with another hour among its results."""
    failed = system(
        act("NOTIFY_FAILURE"),
        *acts,
        call=("BookInn", {"inn": "Blue Heron", "hour": "19:00", "rooms": "2"}),
        rows=({"inn": "Blue Heron", "hour": "20:30", "rooms": "2"},),
    )
    return (
        *search(act("OFFER", inn="Blue Heron")),
        user(act("INFORM", rooms="2", hour="19:00")),
        failed,
    )


def test_a_failed_call_produces_what_it_offers_instead() -> None:
    path = plan(*counter_offer(act("OFFER", hour="20:30")), user(), booked(hour="20:30"))
    assert [step.outcome for step in path.steps] == ["ok", "retried", "ok"]
    assert (1, "hour", 2, "hour", "offered/same_slot") in edges(path)
    assert origin(path, 2, "rooms") == ("user", 2)


def test_a_failed_call_that_offers_nothing_produces_nothing() -> None:
    path = plan(*counter_offer(), user(act("INFORM", hour="20:30")), booked(hour="20:30"))
    assert origin(path, 2, "hour") == ("user", 4)


def test_an_offer_of_a_later_turn_is_not_the_failed_call_s() -> None:
    later = system(act("OFFER", hour="20:30"))
    path = plan(*counter_offer(), user(), later, user(), booked(hour="20:30"))
    assert origin(path, 2, "hour") == ("system", 5)


def test_a_dropped_counter_offer_is_what_the_system_said() -> None:
    path = plan(
        *counter_offer(act("OFFER", hour="20:30")),
        user(),
        booked(hour="20:30"),
        drop=("retried",),
    )
    assert edges(path) == [(0, "inn", 1, "inn", "offered/same_slot")]
    assert origin(path, 1, "hour") == ("system", 3)
