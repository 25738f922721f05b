"""Whatever is called in whatever order, money, stock, seats, rooms and tables hold together."""

from random import Random
from typing import Any

from benchloom.core.records.values import Plain
from benchloom.worlds.everyday import everyday
from tests.benchloom.worlds.suites.everyday.support import Visit
from tests.contracts.test_apps import allowed, records_of

APPS = {"bank", "wallet", "shopping", "travel", "restaurants", "home"}
BOOKING = ("book_", "create_order", "create_reservation", "add_to_scene")
ENDING = {"delete_card", "delete_device", "delete_scene"}
"""After these, little can be done any more."""
CALLS = 1_500
LATELY = 12
"""Values that calls are made with were given lately, so that calls meet at the same places."""
FEW: dict[str, list[Plain]] = {
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
BROKEN = {
    "a balance is the sum of what went in and out": """
        SELECT bank_account_id FROM bank_accounts AS a WHERE balance_cents <> coalesce((
            SELECT sum(amount_cents) FROM bank_transactions AS t
            WHERE t.bank_account_id = a.bank_account_id), 0)""",
    "an order costs what is in it": """
        SELECT order_id FROM orders AS o WHERE total_cents <> (
            SELECT sum(quantity * price_cents) FROM order_lines AS l
            WHERE l.order_id = o.order_id)""",
    "what is cancelled or returned is refunded": """
        SELECT order_id FROM orders JOIN payments USING (payment_id)
        WHERE (status IN ('cancelled', 'returned')) <> (refunded_cents = total_cents)""",
    "no night has more guests than rooms": """
        SELECT h.hotel_id FROM hotels AS h JOIN stays AS a USING (hotel_id) WHERE h.rooms < (
            SELECT sum(b.rooms) FROM stays AS b WHERE b.hotel_id = h.hotel_id
            AND b.status = 'booked' AND b.check_in <= a.check_in AND b.check_out > a.check_in)
        AND a.status = 'booked'""",
    "the user takes one way at a time": """
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
    "no more sit at a table than it is for": """
        SELECT reservation_id FROM reservations AS r WHERE party_size <= (
            SELECT count(*) FROM companions AS c WHERE c.reservation_id = r.reservation_id)""",
    "a meal begins while the place is open": """
        SELECT reservation_id FROM reservations JOIN restaurants USING (restaurant_id)
        WHERE time < opens OR time > closes""",
}
"""Queries that find what must not be."""
SEATS = """
    SELECT departure_id, free_seats + coalesce((SELECT sum(travellers) FROM trips AS t
    WHERE t.departure_id = s.departure_id AND t.status = 'booked'), 0) FROM seats AS s"""
PIECES = """
    SELECT product_id, pieces + coalesce((SELECT sum(quantity) FROM order_lines JOIN orders
    USING (order_id) WHERE order_lines.product_id = s.product_id AND status IN
    ('placed', 'shipped', 'delivered')), 0) FROM stock AS s"""


def test_no_order_of_calls_breaks_what_holds(visit: Visit) -> None:
    whole = (visit.cells(SEATS), visit.cells(PIECES))
    drawing = Random(3)
    values_by_name: dict[str, list[Plain]] = {}
    tools = [
        world_tool
        for world_tool in everyday().tools.values()
        if world_tool.app in APPS and world_tool.name not in ENDING
    ]
    tools += 3 * [world_tool for world_tool in tools if world_tool.name.startswith(BOOKING)]
    done = 0
    reading = [world_tool for world_tool in tools if world_tool.reads]
    for index in range(len(reading) + CALLS):  # first every search, for all there is
        early = index < len(reading)
        tool = reading[index] if early else drawing.choice(tools)
        schema = tool.schema()
        needed = set(schema.get("required", []))
        arguments = {
            name: value(drawing, name, property_schema, values_by_name)
            for name, property_schema in schema["properties"].items()
            if name in needed or (not early and drawing.random() < 0.5)
        }
        outcome = visit.session.call(f"{tool.app}.{tool.name}", arguments)
        done += outcome.refused is None and not tool.reads
        for record in records_of(outcome.result):
            for name, field_value in record.items():
                values_by_name.setdefault(name, []).append(field_value)
    assert done > CALLS // 10
    assert (visit.cells(SEATS), visit.cells(PIECES)) == whole
    assert [rule for rule, query in BROKEN.items() if visit.cells(query)] == []


def value(
    drawing: Random, name: str, schema: dict[str, Any], known: dict[str, list[Plain]]
) -> Plain:
    """Something that a call gave under that name, or that the schema allows."""
    if name in FEW:
        return drawing.choice(FEW[name])
    if known.get(name) and (name.endswith("_id") or drawing.random() < 0.5):
        return drawing.choice(known[name][-LATELY:])
    return allowed(schema, drawing.randrange(1_000), known, name)
