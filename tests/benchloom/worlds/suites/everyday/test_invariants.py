"""Check that random calls keep money, stock, seats, rooms and tables consistent."""

from random import Random
from typing import Any

from benchloom.core.records.values import Plain
from benchloom.worlds.everyday import everyday
from tests.benchloom.worlds.suites.everyday.support import Visit
from tests.contracts.test_apps import records_of, value_for_schema

APPS = {"bank", "wallet", "shopping", "travel", "restaurants", "home"}
BOOKING = ("book_", "create_order", "create_reservation", "add_to_scene")
NEVER_CALLED = {"delete_card", "delete_device", "delete_scene"}
"""Tools that are never called, because most calls after them would be refused."""
CALLS = 1_500
RECENT = 12
"""Arguments come from this many recent values, so that calls often change the same rows."""
FEW_VALUES: dict[str, list[Plain]] = {
    "date": ["2027-04-01", "2027-04-02"],
    "check_in": ["2027-04-01", "2027-04-02"],
    "check_out": ["2027-04-02", "2027-04-03"],
    "time": ["13:00", "13:30", "19:00"],
    "from_city": ["Lomm"],
    "to_city": ["Skerry"],
    "city": ["Lomm"],
    "is_on": [False, True],
    "blocked": [False],
    "limit_cents": [1_000_000],
    "amount_cents": [1, 70, 900],
}
RULES = {
    "a balance is the sum of its transactions": """
        SELECT bank_account_id FROM bank_accounts AS a WHERE balance_cents <> coalesce((
            SELECT sum(amount_cents) FROM bank_transactions AS t
            WHERE t.bank_account_id = a.bank_account_id), 0)""",
    "the total of an order is the sum of its lines": """
        SELECT order_id FROM orders AS o WHERE total_cents <> (
            SELECT sum(quantity * price_cents) FROM order_lines AS l
            WHERE l.order_id = o.order_id)""",
    "cancelled and returned orders are refunded": """
        SELECT order_id FROM orders JOIN payments USING (payment_id)
        WHERE (status IN ('cancelled', 'returned')) <> (refunded_cents = total_cents)""",
    "no night has more booked rooms than the hotel has": """
        SELECT h.hotel_id FROM hotels AS h JOIN stays AS a USING (hotel_id) WHERE h.rooms < (
            SELECT sum(b.rooms) FROM stays AS b WHERE b.hotel_id = h.hotel_id
            AND b.status = 'booked' AND b.check_in <= a.check_in AND b.check_out > a.check_in)
        AND a.status = 'booked'""",
    "the user makes one trip at a time": """
        SELECT t.trip_id FROM trips AS t JOIN departures AS d USING (departure_id)
        JOIN trips AS u ON u.trip_id <> t.trip_id AND u.person_id = t.person_id
        JOIN departures AS e ON e.departure_id = u.departure_id
        WHERE t.person_id = 'p001' AND t.status = 'booked' AND u.status = 'booked'
        AND d.departs < e.arrives AND e.departs < d.arrives""",
    "the user eats one meal at a time": """
        SELECT a.reservation_id FROM reservations AS a JOIN reservations AS b
        ON b.person_id = a.person_id AND b.date = a.date AND b.reservation_id <> a.reservation_id
        WHERE a.person_id = 'p001' AND b.time >= a.time
        AND time(a.time, '+119 minutes') >= b.time || ':00'""",
    "a party has no more people than its reservation": """
        SELECT reservation_id FROM reservations AS r WHERE party_size <= (
            SELECT count(*) FROM companions AS c WHERE c.reservation_id = r.reservation_id)""",
    "a meal begins while the place is open": """
        SELECT reservation_id FROM reservations JOIN restaurants USING (restaurant_id)
        WHERE time < opens OR time > closes""",
}
"""Rules and queries that find the rows that break them."""
SEATS = """
    SELECT departure_id, free_seats + coalesce((SELECT sum(travellers) FROM trips AS t
    WHERE t.departure_id = s.departure_id AND t.status = 'booked'), 0) FROM seats AS s"""
PIECES = """
    SELECT product_id, pieces + coalesce((SELECT sum(quantity) FROM order_lines JOIN orders
    USING (order_id) WHERE order_lines.product_id = s.product_id AND status IN
    ('placed', 'shipped', 'delivered')), 0) FROM stock AS s"""


def test_random_calls_break_no_rule(visit: Visit) -> None:
    totals = (visit.cells(SEATS), visit.cells(PIECES))
    rng = Random(3)
    values_by_name: dict[str, list[Plain]] = {}
    tools = [
        world_tool
        for world_tool in everyday().tools.values()
        if world_tool.app in APPS and world_tool.name not in NEVER_CALLED
    ]
    tools += 3 * [world_tool for world_tool in tools if world_tool.name.startswith(BOOKING)]
    changes = 0
    read_tools = [world_tool for world_tool in tools if world_tool.reads]
    for index in range(len(read_tools) + CALLS):  # every search first, to collect values
        is_first_search = index < len(read_tools)
        tool = read_tools[index] if is_first_search else rng.choice(tools)
        schema = tool.schema()
        needed = set(schema.get("required", []))
        arguments = {
            name: choose_value(rng, name, property_schema, values_by_name)
            for name, property_schema in schema["properties"].items()
            if name in needed or (not is_first_search and rng.random() < 0.5)
        }
        outcome = visit.session.call(f"{tool.app}.{tool.name}", arguments)
        changes += outcome.refused is None and not tool.reads
        for record in records_of(outcome.result):
            for name, field_value in record.items():
                values_by_name.setdefault(name, []).append(field_value)
    assert changes > CALLS // 10
    assert (visit.cells(SEATS), visit.cells(PIECES)) == totals
    assert [rule for rule, query in RULES.items() if visit.cells(query)] == []


def choose_value(
    rng: Random, name: str, schema: dict[str, Any], values_by_name: dict[str, list[Plain]]
) -> Plain:
    """Return a recent value of that name, or another one that the schema allows."""
    if name in FEW_VALUES:
        return rng.choice(FEW_VALUES[name])
    if values_by_name.get(name) and (name.endswith("_id") or rng.random() < 0.5):
        return rng.choice(values_by_name[name][-RECENT:])
    return value_for_schema(schema, rng.randrange(1_000), values_by_name, name)
