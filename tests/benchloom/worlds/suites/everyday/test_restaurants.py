"""Check that restaurants do not overbook their tables and that deposits are refunded."""

from hypothesis import given
from hypothesis import strategies as st

from benchloom.worlds.everyday.apps.restaurants import LASTS, _busy
from benchloom.worlds.everyday.rules import WEEKDAYS
from tests.benchloom.worlds.suites.everyday.support import Visit


@given(st.lists(st.integers(0, 400), max_size=12), st.integers(0, 400))
def test_busy_tables_match_a_count_by_minute(start_times: list[int], start: int) -> None:
    by_minute = max(
        sum(start_time <= minute < start_time + LASTS for start_time in start_times)
        for minute in range(start, start + LASTS)
    )
    assert _busy(start_times, start) == by_minute


def test_full_restaurant_refuses_reservations(visit: Visit) -> None:
    """Reservations of other people occupy every table, and the free times show it."""
    restaurant = next(
        restaurant_row
        for restaurant_row in visit.call("restaurants.search_restaurants", cuisine="grill")
        if not restaurant_row["deposit_cents"] and restaurant_row["closed_on"] != "Friday"
    )
    visit_day = {"restaurant_id": restaurant["restaurant_id"], "date": "2027-04-02"}
    free = [
        free_table["time"]
        for free_table in visit.call("restaurants.search_free_tables", **visit_day)
    ]
    assert (free[0], free[-1]) == ("12:00", "20:30")
    for number in range(restaurant["tables"]):
        visit.session._state.add(
            "reservations",
            reservation_id=f"r{number}",
            person_id=f"p{number + 9:03d}",
            time="18:00",
            party_size=2,
            note="",
            **visit_day,
        )
    remaining = [
        free_table["time"]
        for free_table in visit.call("restaurants.search_free_tables", **visit_day)
    ]
    assert remaining == [free_time for free_time in free if not "16:00" < free_time < "20:00"]
    for time in free:
        request = {**visit_day, "time": time, "party_size": 2}
        refusal = visit.refusal("restaurants.create_reservation", **request)
        assert refusal == (None if time in remaining else "unavailable")
        for reservation in visit.call("restaurants.search_reservations", date="2027-04-02"):
            visit.call(
                "restaurants.delete_reservation", reservation_id=reservation["reservation_id"]
            )


def test_deposit_is_paid_and_refunded(visit: Visit) -> None:
    card = visit.first("wallet.search_cards", query="blue")
    balance = visit.balance()
    restaurant = next(
        restaurant_row
        for restaurant_row in visit.call("restaurants.search_restaurants")
        if restaurant_row["deposit_cents"] and restaurant_row["closed_on"] != "Friday"
    )
    request = {"restaurant_id": restaurant["restaurant_id"], "date": "2027-04-02", "time": "12:30"}
    visit.refuses("invalid_argument", "restaurants.create_reservation", **request, party_size=3)
    reservation = visit.call(
        "restaurants.create_reservation", **request, party_size=3, card_id=card["card_id"]
    )
    assert balance - visit.balance() == 3 * restaurant["deposit_cents"]
    visit.call("restaurants.delete_reservation", reservation_id=reservation["reservation_id"])
    assert visit.balance() == balance


def test_invalid_reservations_are_refused(visit: Visit) -> None:
    reservation = visit.first("restaurants.search_reservations")
    reservation_key = {"reservation_id": reservation["reservation_id"]}
    restaurant = visit.call(
        "restaurants.get_restaurant", restaurant_id=reservation["restaurant_id"]
    )
    closed = f"2027-03-{22 + WEEKDAYS.index(restaurant['closed_on'])}"
    visit.refuses("unavailable", "restaurants.update_reservation", **reservation_key, date=closed)
    visit.refuses("unavailable", "restaurants.update_reservation", **reservation_key, time="09:00")
    visit.refuses(
        "invalid_argument", "restaurants.update_reservation", **reservation_key, date="2027-03-14"
    )
    other_reservation = visit.cells(
        "SELECT reservation_id FROM reservations WHERE person_id <> 'p001'"
    )[0][0]
    visit.refuses("permission", "restaurants.delete_reservation", reservation_id=other_reservation)
    other_restaurant = next(
        restaurant_row
        for restaurant_row in visit.call("restaurants.search_restaurants")
        if restaurant_row["restaurant_id"] != reservation["restaurant_id"]
        and restaurant_row["closed_on"] != "Wednesday"
    )
    refusal = visit.refusal(
        "restaurants.create_reservation",
        restaurant_id=other_restaurant["restaurant_id"],
        date=reservation["date"],
        time="18:30",
        party_size=2,
    )
    assert refusal in {"conflict", "unavailable"}


def test_companions_are_limited_by_the_party_size(visit: Visit) -> None:
    reservation = visit.first("restaurants.search_reservations")
    reservation_key = {"reservation_id": reservation["reservation_id"]}
    visit.refuses("conflict", "restaurants.add_companion", **reservation_key, person_id="p010")
    visit.call("restaurants.add_companion", **reservation_key, person_id="p011")
    visit.refuses("unavailable", "restaurants.add_companion", **reservation_key, person_id="p012")
