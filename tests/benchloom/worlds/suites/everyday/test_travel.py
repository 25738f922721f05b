"""Check that seats and rooms are limited, trips do not overlap, and refunds are correct."""

from itertools import product
from typing import Any

from benchloom.worlds.everyday.rules import CITIES
from tests.benchloom.worlds.suites.everyday.support import Visit


def funded_card(visit: Visit) -> str:
    """Return the id of the blue card, with a high limit and enough money on its account."""
    card = visit.first("wallet.search_cards", query="blue")["card_id"]
    visit.call("wallet.update_card", card_id=card, limit_cents=1_000_000)
    current, savings = (
        visit.first("bank.search_accounts", query=query) for query in ("every", "rainy")
    )
    visit.call(
        "bank.transfer",
        bank_account_id=savings["bank_account_id"],
        payee_account_id=current["bank_account_id"],
        amount_cents=500_000,
    )
    return str(card)


def departure_on(visit: Visit, day: str, **more: Any) -> Any:
    """Return the first departure from Skerry to Port Selda on a day."""
    return visit.first(
        "travel.search_departures", from_city="Skerry", to_city="Port Selda", date=day, **more
    )


def test_cancelled_trip_restores_seats_and_money(visit: Visit) -> None:
    card, balance = funded_card(visit), visit.balance()
    departure_row = departure_on(visit, "2027-03-22", travellers=2)
    departure = {"departure_id": departure_row["departure_id"]}
    trip = visit.call("travel.book_trip", **departure, card_id=card, travellers=2)
    assert visit.balance() == balance - 2 * departure_row["price_cents"]
    free_seats = visit.call("travel.get_departure", **departure)["free_seats"]
    assert free_seats == departure_row["free_seats"] - 2
    visit.call("travel.cancel_trip", trip_id=trip["trip_id"])
    assert visit.balance() == balance
    assert visit.call("travel.get_departure", **departure) == departure_row
    visit.refuses("conflict", "travel.cancel_trip", trip_id=trip["trip_id"])


def test_late_cancellation_refunds_half(visit: Visit) -> None:
    card, balance = funded_card(visit), visit.balance()
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
    assert visit.balance() == balance - price + price // 2


def test_changed_departure_replaces_the_payment(visit: Visit) -> None:
    card, balance = funded_card(visit), visit.balance()
    old, new = departure_on(visit, "2027-03-21"), departure_on(visit, "2027-03-22")
    trip = visit.call("travel.book_trip", departure_id=old["departure_id"], card_id=card)
    trip_arguments = {"trip_id": trip["trip_id"], "card_id": card}
    visit.refuses(
        "conflict", "travel.update_trip", **trip_arguments, departure_id=old["departure_id"]
    )
    return_departure = visit.first(
        "travel.search_departures", from_city="Port Selda", to_city="Skerry"
    )
    visit.refuses(
        "invalid_argument",
        "travel.update_trip",
        **trip_arguments,
        departure_id=return_departure["departure_id"],
    )
    visit.call("travel.update_trip", **trip_arguments, departure_id=new["departure_id"])
    assert visit.balance() == balance - new["price_cents"]
    assert departure_on(visit, "2027-03-21") == old


def test_overlapping_full_or_past_departures_are_refused(visit: Visit) -> None:
    card = funded_card(visit)
    trip = visit.first("travel.search_trips", status="booked")
    refusal = visit.refusal("travel.book_trip", departure_id=trip["departure_id"], card_id=card)
    assert refusal in {"conflict", "unavailable"}
    full_departures = visit.cells("SELECT departure_id FROM seats WHERE free_seats = 0")
    visit.refuses(
        "unavailable", "travel.book_trip", departure_id=full_departures[0][0], card_id=card
    )
    past_departures = visit.cells(
        "SELECT departure_id FROM departures WHERE departs < '2027-03-15T09:00'"
    )
    for (departure_id,) in past_departures:
        visit.refuses("unavailable", "travel.book_trip", departure_id=departure_id, card_id=card)
    assert past_departures
    other_trip = visit.cells("SELECT trip_id FROM trips WHERE person_id <> 'p001'")[0][0]
    visit.refuses("permission", "travel.get_trip", trip_id=other_trip)


def test_trip_is_added_to_the_calendar_once(visit: Visit) -> None:
    trip = visit.first("travel.search_trips", to_city="Brisk")["trip_id"]
    calendar = visit.session.call("travel.add_trip_to_calendar", {"trip_id": trip})
    assert calendar.refused in {None, "conflict"}
    visit.refuses("conflict", "travel.add_trip_to_calendar", trip_id=trip)


def test_hotel_rooms_are_limited_per_night(visit: Visit) -> None:
    card = funded_card(visit)
    hotel = visit.first("travel.search_hotels", city="Skerry")
    stay_arguments = {"hotel_id": hotel["hotel_id"], "card_id": card}
    balance = visit.balance()
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
    assert visit.balance() == balance - 2 * hotel["rooms"] * hotel["night_cents"]
    nights = {"check_in": "2027-04-02", "check_out": "2027-04-04"}
    visit.refuses("conflict", "travel.book_stay", **stay_arguments, **nights)
    visit.call("travel.cancel_stay", stay_id=stay["stay_id"])
    assert visit.balance() == balance
    visit.call("travel.book_stay", **stay_arguments, **nights)
    for check_out in ("2027-03-31", "2027-04-05", "2027-06-01"):
        nights = {"check_in": "2027-04-05", "check_out": check_out}
        visit.refuses("invalid_argument", "travel.book_stay", **stay_arguments, **nights)
