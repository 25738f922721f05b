"""Travel: seats and rooms run out, nobody is in two places, and refunds are what was paid."""

from itertools import product
from typing import Any

from benchloom.worlds.everyday.rules import CITIES
from tests.benchloom.worlds.suites.everyday.support import Visit


def blue(visit: Visit) -> str:
    """A card that pays for much, from an account that has enough."""
    card = visit.first("wallet.search_cards", query="blue")["card_id"]
    visit.call("wallet.update_card", card_id=card, limit_cents=1_000_000)
    main, saved = (visit.first("bank.search_accounts", query=one) for one in ("every", "rainy"))
    visit.call(
        "bank.transfer",
        bank_account_id=saved["bank_account_id"],
        payee_account_id=main["bank_account_id"],
        amount_cents=500_000,
    )
    return str(card)


def later(visit: Visit, day: str, **more: Any) -> Any:
    """Something that leaves Skerry on a day."""
    return visit.first(
        "travel.search_departures", from_city="Skerry", to_city="Port Selda", date=day, **more
    )


def test_a_trip_takes_seats_and_money_and_gives_them_back(visit: Visit) -> None:
    card, had = blue(visit), visit.balance()
    departure_row = later(visit, "2027-03-22", travellers=2)
    departure = {"departure_id": departure_row["departure_id"]}
    trip = visit.call("travel.book_trip", **departure, card_id=card, travellers=2)
    assert visit.balance() == had - 2 * departure_row["price_cents"]
    left = visit.call("travel.get_departure", **departure)["free_seats"]
    assert left == departure_row["free_seats"] - 2
    visit.call("travel.cancel_trip", trip_id=trip["trip_id"])
    assert visit.balance() == had
    assert visit.call("travel.get_departure", **departure) == departure_row
    visit.refuses("conflict", "travel.cancel_trip", trip_id=trip["trip_id"])


def test_who_cancels_late_gets_half(visit: Visit) -> None:
    card, had = blue(visit), visit.balance()
    departure = next(
        departure_row
        for source, target in product(CITIES, CITIES)
        for departure_row in visit.call(
            "travel.search_departures", from_city=source, to_city=target
        )
        if departure_row["departs"] < "2027-03-16T09:00"
    )
    trip = visit.call("travel.book_trip", departure_id=departure["departure_id"], card_id=card)
    visit.call("travel.cancel_trip", trip_id=trip["trip_id"])
    price = departure["price_cents"]
    assert visit.balance() == had - price + price // 2


def test_another_departure_is_paid_in_place_of_the_old_one(visit: Visit) -> None:
    card, had = blue(visit), visit.balance()
    old, new = later(visit, "2027-03-21"), later(visit, "2027-03-22")
    trip = visit.call("travel.book_trip", departure_id=old["departure_id"], card_id=card)
    trip_arguments = {"trip_id": trip["trip_id"], "card_id": card}
    visit.refuses(
        "conflict", "travel.update_trip", **trip_arguments, departure_id=old["departure_id"]
    )
    back = visit.first("travel.search_departures", from_city="Port Selda", to_city="Skerry")
    visit.refuses(
        "invalid_argument",
        "travel.update_trip",
        **trip_arguments,
        departure_id=back["departure_id"],
    )
    visit.call("travel.update_trip", **trip_arguments, departure_id=new["departure_id"])
    assert visit.balance() == had - new["price_cents"]
    assert later(visit, "2027-03-21") == old


def test_nobody_travels_twice_at_a_time_or_on_a_seat_that_is_not_there(visit: Visit) -> None:
    card = blue(visit)
    mine = visit.first("travel.search_trips", status="booked")
    again = visit.refused("travel.book_trip", departure_id=mine["departure_id"], card_id=card)
    assert again in {"conflict", "unavailable"}
    rows = visit.cells("SELECT departure_id FROM seats WHERE free_seats = 0")
    visit.refuses("unavailable", "travel.book_trip", departure_id=rows[0][0], card_id=card)
    early = visit.cells("SELECT departure_id FROM departures WHERE departs < '2027-03-15T09:00'")
    for (departure_id,) in early:
        visit.refuses("unavailable", "travel.book_trip", departure_id=departure_id, card_id=card)
    assert early
    other = visit.cells("SELECT trip_id FROM trips WHERE person_id <> 'p001'")[0][0]
    visit.refuses("permission", "travel.get_trip", trip_id=other)


def test_a_trip_in_the_calendar_is_there_once(visit: Visit) -> None:
    trip = visit.first("travel.search_trips", to_city="Brisk")["trip_id"]
    calendar = visit.session.call("travel.add_trip_to_calendar", {"trip_id": trip})
    assert calendar.refused in {None, "conflict"}
    visit.refuses("conflict", "travel.add_trip_to_calendar", trip_id=trip)


def test_rooms_run_out_night_by_night(visit: Visit) -> None:
    card = blue(visit)
    hotel = visit.first("travel.search_hotels", city="Skerry")
    stay_arguments = {"hotel_id": hotel["hotel_id"], "card_id": card}
    had = visit.balance()
    visit.refuses(
        "unavailable",
        "travel.book_stay",
        **stay_arguments,
        check_in="2027-04-01",
        check_out="2027-04-03",
        rooms=4,
    )
    stay = visit.call(
        "travel.book_stay",
        **stay_arguments,
        check_in="2027-04-01",
        check_out="2027-04-03",
        rooms=hotel["rooms"],
    )
    assert visit.balance() == had - 2 * hotel["rooms"] * hotel["night_cents"]
    nights = {"check_in": "2027-04-02", "check_out": "2027-04-04"}
    visit.refuses("conflict", "travel.book_stay", **stay_arguments, **nights)
    visit.call("travel.cancel_stay", stay_id=stay["stay_id"])
    assert visit.balance() == had
    visit.call("travel.book_stay", **stay_arguments, **nights)
    for wrong in ("2027-03-31", "2027-04-05", "2027-06-01"):
        nights = {"check_in": "2027-04-05", "check_out": wrong}
        visit.refuses("invalid_argument", "travel.book_stay", **stay_arguments, **nights)
