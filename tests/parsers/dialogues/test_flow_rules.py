"""Check each rule of flow mode on a dialogue written for it."""

from benchloom.core.records import PlanningPath
from tests.parsers.dialogues.inn_dialogues import Json, act, inn_schema, plan, system, user

ROWS: tuple[Json, ...] = (
    {"inn": "Blue Heron", "town": "Lomm", "stars": "2", "rooms": "2", "day": "2031-05-04"},
    {"inn": "Old Mill", "town": "Lomm", "stars": "3", "rooms": "1", "kind": "Grand"},
)
SEARCH = ("FindInns", {"town": "Lomm"})


def search_turns(*offers: list[Json], rows: tuple[Json, ...] = ROWS) -> tuple[Json, Json]:
    return user(act("INFORM", town="Lomm")), system(*offers, call=SEARCH, rows=rows)


def edges_of(path: PlanningPath) -> list[tuple[int, str, int, str, str]]:
    return [(e.from_step, e.output, e.to_step, e.argument, e.evidence) for e in path.edges]


def origin_of(path: PlanningPath, step: int, name: str) -> tuple[str, int | None]:
    (argument,) = [a for a in path.steps[step].arguments if a.name == name]
    return argument.provenance, argument.turn


def booking_turn(**arguments: str) -> Json:
    call_arguments = {"inn": "Blue Heron", "hour": "19:00", "rooms": "2", **arguments}
    return system(
        act("NOTIFY_SUCCESS"), call=("BookInn", call_arguments), rows=({"inn": "Blue Heron"},)
    )


def test_equal_count_of_another_slot_is_no_origin() -> None:
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron", stars="2")),
        user(act("INFORM", rooms="2", hour="19:00")),
        booking_turn(),
    )
    assert edges_of(path) == [(0, "inn", 1, "inn", "offered/same_slot")]
    assert origin_of(path, 1, "rooms") == ("user", 2)


def test_count_offered_for_the_slot_is_an_origin() -> None:
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("INFORM", hour="19:00")),
        booking_turn(),
    )
    assert (0, "rooms", 1, "rooms", "offered/same_slot") in edges_of(path)


def test_count_informed_by_the_user_has_origin_user() -> None:
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("INFORM", rooms="2", hour="19:00")),
        booking_turn(),
    )
    assert origin_of(path, 1, "rooms") == ("user", 2)


def test_count_selected_by_the_user_has_origin_result() -> None:
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron", rooms="2")),
        user(act("SELECT", rooms="2"), act("INFORM", hour="19:00")),
        booking_turn(),
    )
    assert origin_of(path, 1, "rooms") == ("result", 1)


def test_name_repeated_by_the_user_has_origin_result() -> None:
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron")),
        user(act("INFORM", inn="Blue Heron", rooms="2", hour="19:00")),
        booking_turn(),
    )
    assert origin_of(path, 1, "inn") == ("result", 1)


def test_date_of_another_meaning_has_origin_user() -> None:
    trip = system(call=("BuyTrip", {"leaving_date": "2031-05-04"}))
    path = plan(
        *search_turns(act("OFFER", inn="Blue Heron", day="2031-05-04")),
        user(act("INFORM", leaving_date="2031-05-04"), service="Trips_1"),
        trip,
    )
    assert edges_of(path) == []
    assert origin_of(path, 1, "leaving_date") == ("user", 2)


def test_producer_result_explains_an_argument_without_default() -> None:
    turns = (
        *search_turns(act("OFFER", inn="Old Mill")),
        user(act("INFORM", hour="19:00")),
        booking_turn(inn="Old Mill", rooms="1"),
    )
    assert origin_of(plan(*turns), 1, "rooms") == ("result", 1)
    assert origin_of(plan(*turns, of=inn_schema(book_rooms="1")), 1, "rooms") == ("default", None)


def test_default_of_another_service_has_origin_default() -> None:
    trip = system(call=("BuyTrip", {"leaving_date": "2031-05-09", "rooms": "1"}))
    path = plan(
        *search_turns(act("OFFER", inn="Old Mill")),
        user(act("INFORM", leaving_date="2031-05-09"), service="Trips_1"),
        trip,
    )
    assert origin_of(path, 1, "rooms") == ("default", None)


def failed_booking(*acts: list[Json]) -> tuple[Json, ...]:
    """Return turns where the booking at 19:00 fails and its results contain another hour."""
    failed = system(
        act("NOTIFY_FAILURE"),
        *acts,
        call=("BookInn", {"inn": "Blue Heron", "hour": "19:00", "rooms": "2"}),
        rows=({"inn": "Blue Heron", "hour": "20:30", "rooms": "2"},),
    )
    return (
        *search_turns(act("OFFER", inn="Blue Heron")),
        user(act("INFORM", rooms="2", hour="19:00")),
        failed,
    )


def test_failed_call_is_the_origin_of_its_counter_offer() -> None:
    path = plan(*failed_booking(act("OFFER", hour="20:30")), user(), booking_turn(hour="20:30"))
    assert [step.outcome for step in path.steps] == ["ok", "retried", "ok"]
    assert (1, "hour", 2, "hour", "offered/same_slot") in edges_of(path)
    assert origin_of(path, 2, "rooms") == ("user", 2)


def test_failed_call_without_an_offer_is_no_origin() -> None:
    path = plan(*failed_booking(), user(act("INFORM", hour="20:30")), booking_turn(hour="20:30"))
    assert origin_of(path, 2, "hour") == ("user", 4)


def test_offer_of_a_later_turn_has_origin_system() -> None:
    later = system(act("OFFER", hour="20:30"))
    path = plan(*failed_booking(), user(), later, user(), booking_turn(hour="20:30"))
    assert origin_of(path, 2, "hour") == ("system", 5)


def test_counter_offer_of_a_dropped_call_has_origin_system() -> None:
    path = plan(
        *failed_booking(act("OFFER", hour="20:30")),
        user(),
        booking_turn(hour="20:30"),
        drop=("retried",),
    )
    assert edges_of(path) == [(0, "inn", 1, "inn", "offered/same_slot")]
    assert origin_of(path, 1, "hour") == ("system", 3)
