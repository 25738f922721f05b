"""Sessions of clients: isolated, few, and closed when nobody uses them."""

from benchloom.worlds.offers import offer_of
from benchloom.worlds.serving.rooms import Rooms
from benchloom.worlds.session import MAX_CALLS
from tests.support.jars import JARS


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_sessions_have_states_of_their_own_and_end() -> None:
    rooms = Rooms(offer_of(JARS), most=2)
    session_id, other = rooms.open(), rooms.open()
    assert session_id is not None
    assert other is not None
    before = rooms.digest(other)
    assert rooms.digest(session_id) == before
    assert rooms.call(session_id, "jars__add_jar", {"size": 1}).result
    assert rooms.digest(session_id) != before
    assert rooms.digest(other) == before
    with rooms.in_use(session_id), rooms.in_use(other):
        assert rooms.open() is None
    assert rooms.close(session_id)
    assert not rooms.close(session_id)
    assert rooms.digest(session_id) is None
    assert rooms.call(session_id, "jars__add_jar", {"size": 1}).refused == "unavailable"
    assert rooms.open() is not None
    rooms.close_all()
    assert len(rooms) == 0
    assert (rooms.served.sessions, rooms.served.calls) == (3, 1)


def test_what_nobody_uses_is_closed() -> None:
    clock = Clock()
    rooms = Rooms(offer_of(JARS), most=2, idle=10, clock=clock)
    used, unused = rooms.open() or "", rooms.open() or ""
    for clock.now in (4.0, 8.0, 12.0):
        assert not rooms.call(used, "jars__list_jars", {}).refused
    assert not rooms.has(unused)
    assert len(rooms) == 1
    assert rooms.open() is not None
    rooms.close_all()


def test_a_burst_of_sessions_is_served_and_a_session_in_use_stays() -> None:
    rooms = Rooms(offer_of(JARS), most=3)
    busy = rooms.open() or ""
    with rooms.in_use(busy):
        opened = [rooms.open() or "" for _ in range(10)]
        assert all(opened)
        assert [session_id for session_id in opened if rooms.has(session_id)] == opened[-2:]
        assert not rooms.call(busy, "jars__list_jars", {}).refused
    gone = rooms.call(opened[0], "jars__list_jars", {})
    assert "--clients" in gone.message
    assert len(rooms) == 3
    rooms.close_all()


def test_only_what_is_offered_is_there_and_calls_have_an_end() -> None:
    rooms = Rooms(offer_of(JARS, ["jars.list_jars"]))
    session_id = rooms.open() or ""
    for name in ("jars__add_jar", "jars.list_jars", "", "x" * 10**6):
        outcome = rooms.call(session_id, name, {})
        assert outcome.refused == "unknown_tool"
        assert len(outcome.message) < 300
    for _ in range(MAX_CALLS):
        assert not rooms.call(session_id, "jars__list_jars", {}).refused
    assert rooms.call(session_id, "jars__list_jars", {}).refused == "unavailable"
    rooms.close_all()
