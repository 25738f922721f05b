"""Check that calls change the state of a world as expected and refused calls change nothing."""

import unicodedata

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds import Session, State, World, tool
from benchloom.worlds.everyday import everyday
from benchloom.worlds.session import MAX_CALLS
from benchloom.worlds.tool import tools_of

SCHEMA = """
CREATE TABLE jars (jar_id TEXT PRIMARY KEY, size REAL NOT NULL, tags TEXT NOT NULL) STRICT;
CREATE TABLE plums (
    plum_id TEXT PRIMARY KEY, jar_id TEXT NOT NULL REFERENCES jars (jar_id)
) STRICT;
CREATE TABLE signs (sign_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
"""


@tool(size="in litres.")
def add_jar(state: State, *, size: float, tags: list[str]) -> str:
    """Add a jar."""
    jar_id = state.new_id("jars", size)
    state.add("jars", jar_id=jar_id, size=size, tags=msgspec.json.encode(tags).decode())
    return jar_id


@tool()
def add_plum_then_jar(state: State, *, plum_id: str, jar_id: str) -> str:
    """Add a sign and then a plum to a jar."""
    state.add("signs", sign_id=plum_id, text="a plum is coming")
    state.add("plums", plum_id=plum_id, jar_id=jar_id)
    return plum_id


@tool()
def drop_jar(state: State, *, jar_id: str) -> None:
    """Remove a jar."""
    state.remove("jars", jar_id=jar_id)


def cellar_world() -> World:
    """Return a world with jars, plums and signs."""

    def fill(state: State) -> None:
        state.add("jars", jar_id="a", size=2, tags='["old","green"]')
        state.add("signs", sign_id="s", text="no smoking")

    tools = tools_of("cellar", globals())
    return World("cellar", "2027-01-01T00:00:00Z", SCHEMA, fill, tools, sets=["jars.tags"])


CELLAR = cellar_world()


def test_call_returns_a_result_and_its_effects() -> None:
    with Session(CELLAR) as session:
        outcome = session.call("cellar.add_jar", {"size": 1.5, "tags": []})
        assert [(effect.kind, effect.table) for effect in outcome.effects] == [("added", "jars")]
        assert outcome.effects[0].key == f'["{outcome.result}"]'
        removal = session.call("cellar.drop_jar", {"jar_id": outcome.result})
        assert [(effect.kind, effect.table) for effect in removal.effects] == [("removed", "jars")]
        with Session(CELLAR) as untouched:
            assert session.digest() == untouched.digest()


REFUSALS: list[tuple[str, dict[str, Plain], str]] = [
    ("cellar.fly", {}, "unknown_tool"),
    ("x" * 100_000, {}, "unknown_tool"),
    ("cellar.add_jar", {}, "invalid_argument"),
    ("cellar.add_jar", {"size": "1", "tags": []}, "invalid_argument"),
    ("cellar.add_jar", {"size": 1, "tags": [], "lid": True}, "invalid_argument"),
    ("cellar.add_jar", {"size": 1, "tags": [[1]]}, "invalid_argument"),
    ("cellar.drop_jar", {"jar_id": "'; DROP TABLE jars; --"}, "not_found"),
    ("cellar.drop_jar", {"jar_id": "\ud800"}, "invalid_argument"),
    ("cellar.drop_jar", {"jar_id": "a" * 1_000_000}, "not_found"),
    ("cellar.add_plum_then_jar", {"plum_id": "p", "jar_id": "nowhere"}, "conflict"),
    ("cellar.add_plum_then_jar", {"plum_id": "s", "jar_id": "a"}, "conflict"),
]


@pytest.mark.parametrize(("name", "arguments", "kind"), REFUSALS)
def test_refused_call_changes_nothing(name: str, arguments: dict[str, Plain], kind: str) -> None:
    with Session(CELLAR) as session:
        before = session.digest()
        outcome = session.call(name, arguments)
        assert outcome.refused == kind
        assert outcome.effects == ()
        assert len(outcome.message) < 300 or kind == "not_found"
        assert session.digest() == before
        assert session.call("cellar.add_jar", {"size": 1, "tags": []}).effects


def test_referenced_row_cannot_be_removed() -> None:
    with Session(CELLAR) as session:
        assert not session.call("cellar.add_plum_then_jar", {"plum_id": "p", "jar_id": "a"}).refused
        assert session.call("cellar.drop_jar", {"jar_id": "a"}).refused == "conflict"


def test_snapshot_restores_the_state() -> None:
    with Session(CELLAR) as session:
        session.call("cellar.add_jar", {"size": 1, "tags": []})
        snapshot, digest = session.snapshot(), session.digest()
        session.call("cellar.drop_jar", {"jar_id": "a"})
    with Session(CELLAR, snapshot) as restored_session:
        assert restored_session.digest() == digest
        assert restored_session.call("cellar.drop_jar", {"jar_id": "a"}).effects


def test_calls_beyond_the_limit_are_refused() -> None:
    with Session(CELLAR) as session:
        for _ in range(MAX_CALLS):
            session.call("cellar.fly", {})
        assert session.call("cellar.add_jar", {"size": 1, "tags": []}).refused == "unavailable"


def digest_of(*rows: tuple[str, float, str], text: str = "") -> str:
    """Return the digest of the initial state after more rows are added."""
    state = State(CELLAR.start, CELLAR.now)
    for jar_id, size, tags in rows:
        state.add("jars", jar_id=jar_id, size=size, tags=tags)
    if text:
        state.add("signs", sign_id="t", text=text)
    with Session(CELLAR, state.snapshot()) as session:
        state.close()
        return session.digest()


def test_equivalent_states_have_equal_digests() -> None:
    digest = digest_of(
        ("x", 25, '["a","b"]'), ("y", 0.5, "[]"), text=unicodedata.normalize("NFC", "é")
    )
    assert digest == digest_of(
        ("y", 0.5, "[ ]"), ("x", 25.0, '["b", "a"]'), text=unicodedata.normalize("NFD", "é")
    )
    assert digest != digest_of(("x", 25, '["a","b"]'), ("y", 0.5, "[]"), text="e")
    assert digest != digest_of(("x", 25, '["a"]'), ("y", 0.5, "[]"), text="é")
    assert digest != digest_of(("x", 25.1, '["a","b"]'), ("y", 0.5, "[]"), text="é")


def test_schema_of_a_tool_follows_its_function() -> None:
    schema = CELLAR.tools["cellar.add_jar"].schema()
    assert schema["required"] == ["size", "tags"]
    assert schema["properties"]["size"] == {"type": "number", "description": "in litres."}
    assert schema["additionalProperties"] is False
    assert CELLAR.tools["cellar.add_jar"].about == "Add a jar."


@pytest.mark.parametrize(
    ("name", "arguments", "refused"),
    [
        ("create_alarm", {"time": "24:00"}, "invalid_argument"),
        ("create_alarm", {"time": "07:00\n"}, "invalid_argument"),
        ("create_alarm", {"time": "07:30", "label": "Work"}, "conflict"),
        ("update_alarm", {"alarm_id": "none", "time": "07:30"}, "not_found"),
        ("delete_alarm", {"alarm_id": "none"}, "not_found"),
    ],
)
def test_invalid_alarm_calls_are_refused(
    name: str, arguments: dict[str, Plain], refused: str
) -> None:
    with Session(everyday()) as session:
        assert session.call(f"alarms.{name}", arguments).refused == refused


def test_alarms_later_today_precede_those_of_tomorrow() -> None:
    alarm_times: list[str] = []
    with Session(everyday()) as session:
        for time in ("08:59", "09:01"):
            session.call("alarms.create_alarm", {"time": time})
        while not alarm_times or alarm_times[-1] != "08:59":
            alarm = session.call("alarms.next_alarm", {}).result
            assert isinstance(alarm, dict)
            alarm_times.append(str(alarm["time"]))
            session.call("alarms.update_alarm", {"alarm_id": alarm["alarm_id"], "enabled": False})
    assert alarm_times[0] == "09:01"  # the clock of the world shows 09:00
    today, tomorrow = (
        [time for time in alarm_times if (time > "09:00") is later] for later in (True, False)
    )
    assert alarm_times == sorted(today) + sorted(tomorrow)
    assert len(today) > 2
    assert len(tomorrow) > 2
