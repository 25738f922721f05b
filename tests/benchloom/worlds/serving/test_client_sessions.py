"""Sessions of clients: isolated, few, and closed when nobody uses them."""

from benchloom.worlds.offers import offer_of
from benchloom.worlds.serving.client_sessions import ClientSessions
from benchloom.worlds.session import MAX_CALLS
from tests.support.jars import JARS


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_sessions_have_states_of_their_own_and_end() -> None:
    sessions = ClientSessions(offer_of(JARS), most=2)
    session_id, other = sessions.open(), sessions.open()
    assert session_id is not None
    assert other is not None
    states = sessions.find(session_id), sessions.find(other)
    before, untouched = (state.digest() for state in states if state is not None)
    assert before == untouched
    assert sessions.call(session_id, "jars__add_jar", {"size": 1}).result
    after, untouched = (state.digest() for state in states if state is not None)
    assert after != before == untouched
    with sessions.in_use(session_id), sessions.in_use(other):
        assert sessions.open() is None
    assert sessions.close(session_id)
    assert not sessions.close(session_id)
    assert sessions.find(session_id) is None
    assert sessions.call(session_id, "jars__add_jar", {"size": 1}).refused == "unavailable"
    assert sessions.open() is not None
    sessions.close_all()
    assert len(sessions) == 0
    assert (sessions.served.sessions, sessions.served.calls) == (3, 1)


def test_what_nobody_uses_is_closed() -> None:
    clock = Clock()
    sessions = ClientSessions(offer_of(JARS), most=2, idle=10, clock=clock)
    used, unused = sessions.open() or "", sessions.open() or ""
    for clock.now in (4.0, 8.0, 12.0):
        assert not sessions.call(used, "jars__list_jars", {}).refused
    assert not sessions.find(unused)
    assert len(sessions) == 1
    assert sessions.open() is not None
    sessions.close_all()


def test_a_burst_of_sessions_is_served_and_a_session_in_use_stays() -> None:
    sessions = ClientSessions(offer_of(JARS), most=3)
    busy = sessions.open() or ""
    with sessions.in_use(busy):
        opened = [sessions.open() or "" for _ in range(10)]
        assert all(opened)
        assert [session_id for session_id in opened if sessions.find(session_id)] == opened[-2:]
        assert not sessions.call(busy, "jars__list_jars", {}).refused
    gone = sessions.call(opened[0], "jars__list_jars", {})
    assert "--clients" in gone.message
    assert len(sessions) == 3
    sessions.close_all()


def test_only_what_is_offered_is_there_and_calls_have_an_end() -> None:
    sessions = ClientSessions(offer_of(JARS, ["jars.list_jars"]))
    session_id = sessions.open() or ""
    for name in ("jars__add_jar", "jars.list_jars", "", "x" * 10**6):
        outcome = sessions.call(session_id, name, {})
        assert outcome.refused == "unknown_tool"
        assert len(outcome.message) < 300
    for _ in range(MAX_CALLS):
        assert not sessions.call(session_id, "jars__list_jars", {}).refused
    assert sessions.call(session_id, "jars__list_jars", {}).refused == "unavailable"
    sessions.close_all()
