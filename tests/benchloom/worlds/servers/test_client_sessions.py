"""Check that sessions of clients are isolated, limited in number, and closed when unused."""

from benchloom.worlds.offers import offer_of
from benchloom.worlds.servers.client_sessions import ClientSessions
from benchloom.worlds.session import MAX_CALLS
from tests.support.jars import JARS


def test_sessions_have_separate_states_and_can_be_closed() -> None:
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
    late_outcome = sessions.call(session_id, "jars__add_jar", {"size": 1})
    assert late_outcome.refused == "unavailable"
    assert "--clients" in late_outcome.message
    assert sessions.open() is not None
    sessions.close_all()
    assert len(sessions) == 0
    assert (sessions.served.sessions, sessions.served.calls) == (3, 1)


def test_session_allows_offered_tools_up_to_a_call_limit() -> None:
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
