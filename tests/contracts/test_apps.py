"""Check every app and tool of the everyday suite: descriptions, results, refusals and changes.

A walk finds a working call for every tool: its arguments are results of other tools under the same
name, or values that the schema allows. Calls that the walk cannot find by itself are listed in
`tests/data/worlds/calls/<app>.yaml`.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any

import msgspec
import pytest

from benchloom.core.records.values import Plain
from benchloom.worlds import Session, State
from benchloom.worlds.everyday import everyday
from benchloom.worlds.session import Outcome
from benchloom.worlds.tool import Tool
from tests.support.python import python
from tests.support.soak import samples

Arguments = Mapping[str, Plain]
Call = tuple[str, Arguments]
CALLS = Path(__file__).parents[1] / "data" / "worlds" / "calls"
Examples = dict[str, list[tuple[str, dict[str, Any]]]]
EXAMPLES = {
    tool: calls
    for path in sorted(CALLS.glob("*.yaml"))
    for tool, calls in msgspec.yaml.decode(path.read_bytes(), type=Examples).items()
}
"""Calls that end with the tool's own; "$" is the newest result value of the same name."""
CANDIDATE_TEXTS = (
    "Blue ladder",
    "2027-03-22",
    "2027-03-22T18:30",
    "18:30",
    "ada.unheard@lomm.example",
    "+99912345678",
    "482913",
    "4711",
)
"""Texts of which every schema allows at least one; the walk uses the first that fits."""
ATTEMPTS = 60


def nested_lists() -> Plain:
    value: Plain = "x"
    for _ in range(5_000):
        value = [value]
    return value


NONE: list[Plain] = [None]
DEEP: dict[str, Plain] = {"a": {"b": []}}
HOSTILE: tuple[Plain, ...] = (
    *(1e308, -1e308, float("inf"), float("nan"), 10**30, -(10**30), 2**63, -1, 0, 0.5),
    *(True, None, [], {}, NONE, DEEP, nested_lists()),
    *("", " ", "x" * 1_000_000, "\x00", "a\x00b", "\ud800", "a\nb", "e\u0301", "\u0662\u0660"),
    *("'; DROP TABLE people; --", '" OR 1=1 --', "%", "_", "none", "null", "../../etc", "{x}"),
    *("2027-02-30", "2027-3-5", "9999-12-31", "2027-02-30T10:00", "25:00", "2027-03-15T09:00Z"),
    *("nobody@nowhere.example", "+0000000", "Ada Brandt"),
)
VALUES_PER_ARGUMENT = 14
"""Number of hostile values per argument, a third of all; each app gets every value repeatedly."""


def tools_by_app() -> dict[str, list[Tool]]:
    tools: dict[str, list[Tool]] = {}
    for tool in everyday().tools.values():
        tools.setdefault(tool.app, []).append(tool)
    return tools


class Walk(msgspec.Struct):
    """Working calls in order, at least one for each tool, and the tools without one.

    `before` contains the state in which an example's last call works if no initial state allows it.
    """

    calls: list[Call]
    outcomes: list[Outcome]
    missed: dict[str, str]
    before: dict[str, bytes]


def draw_number(*parts: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:8], "big")


def records_of(value: Plain) -> Iterator[Mapping[str, Plain]]:
    """Yield the records in a result, including those inside other records."""
    if isinstance(value, list):
        for child in value:
            yield from records_of(child)
    elif isinstance(value, dict):
        yield value
        for child in value.values():
            yield from records_of(child)


class Walker:
    """A search for working calls of every tool in one session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.walk = Walk([], [], {}, {})
        self._records: list[Mapping[str, Plain]] = []
        self._values: dict[str, list[Plain]] = {}

    def run(self) -> Walk:
        """Call reading tools first, since their results are arguments, then retry failed tools."""
        pending = sorted(self.session.world.tools.values(), key=lambda tool: not tool.reads)
        for _ in range(3):
            pending = [tool for tool in pending if not self._works(tool)]
        return self.walk

    def _works(self, tool: Tool) -> bool:
        name = f"{tool.app}.{tool.name}"
        if name in EXAMPLES:
            *others, last = EXAMPLES[name]
            if not all(self._call(*call) for call in others):
                return False
            self.walk.before[name] = self.session.snapshot()
            return self._call(*last)
        return any(self._call(name, arguments) for arguments in self._candidates(tool))

    def _call(self, name: str, arguments: Arguments) -> bool:
        """Return whether a call succeeds with a result that is not empty."""
        filled = {
            parameter: next(
                record[parameter] for record in self._records if record.get(parameter) is not None
            )
            if value == "$"
            else value
            for parameter, value in arguments.items()
        }
        outcome = self.session.call(name, filled)
        if outcome.refused is not None or outcome.result == []:
            self.walk.missed[name] = f"{filled}: {outcome.refused} {outcome.message}"
            return False
        self.walk.missed.pop(name, None)
        self.walk.calls.append((name, filled))
        self.walk.outcomes.append(outcome)
        self._learn(outcome.result)
        return True

    def _learn(self, result: Plain) -> None:
        for record in records_of(result):
            self._records.insert(0, record)
            for name, value in record.items():
                values = self._values.setdefault(name, [])
                if value is not None and value not in values:
                    values.append(value)

    def _candidates(self, tool: Tool) -> Iterator[Arguments]:
        name = f"{tool.app}.{tool.name}"
        schema = tool.schema()
        needed = list(schema.get("required", []))
        others = [parameter for parameter in schema["properties"] if parameter not in needed]
        for attempt in range(ATTEMPTS if needed or others else 1):
            more = (
                others[draw_number(name, "more", attempt) % len(others) :][: attempt % 3 > 0]
                if others
                else []
            )
            chosen_names = [*needed, *more]
            complete_records = [
                record for record in self._records if all(name in record for name in needed)
            ]
            base = (
                complete_records[draw_number(name, attempt) % len(complete_records)]
                if complete_records and attempt % 2
                else {}
            )
            yield {
                parameter: base[parameter]
                if parameter in needed and base.get(parameter) is not None
                else self._value(parameter, schema["properties"][parameter], attempt)
                for parameter in chosen_names
            }

    def _value(self, name: str, schema: Mapping[str, Any], attempt: int) -> Plain:
        values = self._values.get(name, [])
        if values and (name.endswith("_id") or attempt % 3):
            return values[draw_number(name, attempt) % len(values)]
        return value_for_schema(schema, draw_number(name, attempt), self._values, name)


def value_for_schema(
    schema: Mapping[str, Any], number: int, earlier_values: Mapping[str, list[Plain]], name: str
) -> Plain:
    """Return a value that satisfies a schema's type, choices, minimum and pattern."""
    if "anyOf" in schema:
        branches = [branch for branch in schema["anyOf"] if branch.get("type") != "null"]
        return value_for_schema(branches[0], number, earlier_values, name)
    if "enum" in schema:
        choices: list[Plain] = [choice for choice in schema["enum"] if choice is not None]
        return choices[number % len(choices)]
    kind = schema.get("type")
    if kind == "boolean":
        return bool(number % 2)
    if kind in {"integer", "number"}:
        return int(schema.get("minimum", 1)) + number % 3
    if kind == "array":
        inside = earlier_values.get(name.removesuffix("s"), [])
        if inside:
            return [
                inside[(number + offset) % len(inside)]
                for offset in range(schema.get("minItems", 1))
            ]
        return [value_for_schema(schema["items"], number, earlier_values, name)]
    pattern = schema.get("pattern")
    constraint = msgspec.Meta(pattern=str(pattern)) if pattern else msgspec.Meta()
    return next(
        (candidate for candidate in CANDIDATE_TEXTS if matches_constraint(candidate, constraint)),
        CANDIDATE_TEXTS[0],
    )


def matches_constraint(text: str, constraint: msgspec.Meta) -> bool:
    try:
        msgspec.convert(text, Annotated[str, constraint])
    except msgspec.ValidationError:
        return False
    return True


@cache
def walk() -> Walk:
    with Session(everyday()) as session:
        return Walker(session).run()


def base_of(tool: Tool) -> dict[str, Plain]:
    """Return the arguments of the tool's first working call in the walk."""
    name = f"{tool.app}.{tool.name}"
    return next((dict(arguments) for called, arguments in walk().calls if called == name), {})


def describes_itself_and_its_arguments(tool: Tool) -> None:
    assert tool.about.endswith("."), "a sentence says what it does"
    names = {field.encode_name for field in msgspec.structs.fields(tool.arguments)}
    assert set(tool.parameters) == names, "each argument is described, and none that is not there"
    schema = tool.schema()
    assert schema["additionalProperties"] is False
    assert "$ref" not in json.dumps(schema)


def has_a_call_that_works(tool: Tool) -> None:
    name = f"{tool.app}.{tool.name}"
    assert name in {called for called, _ in walk().calls}, walk().missed.get(name)


def returns_its_declared_type_and_effects(tool: Tool) -> None:
    name = f"{tool.app}.{tool.name}"
    for (called, _), outcome in zip(walk().calls, walk().outcomes, strict=True):
        if called == name:
            check_outcome(tool, outcome)
            assert bool(outcome.effects) is not tool.reads


def check_outcome(tool: Tool, outcome: Outcome) -> None:
    """Check that a result has its declared type and is JSON, and that a refusal is short."""
    if outcome.refused is not None:
        assert outcome.effects == ()
        assert len(outcome.message.encode()) < 500
        return
    assert msgspec.to_builtins(msgspec.convert(outcome.result, tool.result)) == outcome.result
    assert msgspec.json.decode(msgspec.json.encode(outcome.result)) == outcome.result


def returns_dates_in_argument_form(tool: Tool) -> None:
    """Check that dates in results have the form that arguments require."""
    name = f"{tool.app}.{tool.name}"
    for (called, _), outcome in zip(walk().calls, walk().outcomes, strict=True):
        for record in records_of(outcome.result) if called == name else ():
            for value in record.values():
                if isinstance(value, str) and re.match("[0-9]{4}-[0-9]", value):
                    assert is_time(value), value


def is_time(text: Plain) -> bool:
    """Return whether a text is a date, or a date with a minute, in ISO form."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return False
    return text in {moment.isoformat(timespec="minutes"), moment.date().isoformat()}


SUITE = (
    describes_itself_and_its_arguments,
    has_a_call_that_works,
    returns_its_declared_type_and_effects,
    returns_dates_in_argument_form,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", sorted(everyday().tools))
def test_contract(name: str, claim: Callable[[Tool], None]) -> None:
    claim(everyday().tools[name])


def hostile_calls(tool: Tool) -> Iterator[Arguments]:
    base = base_of(tool)
    names = [field.name for field in msgspec.structs.fields(tool.arguments)]
    yield {**base, "surplus": 1}
    yield {**base, "\ud800": "\x00"}
    yield {**base, "x" * 1_000_000: None}
    chance = Random(tool.name)
    for name in names:
        for value in chance.sample(HOSTILE, samples(VALUES_PER_ARGUMENT, len(HOSTILE))):
            yield {**base, name: value}


@pytest.mark.parametrize("app", sorted(tools_by_app()))
def test_refused_hostile_calls_leave_the_state_unchanged(app: str) -> None:
    """Accepted calls make the same state with and without refused calls between them."""
    before = walk().before
    common = [
        app_tool for app_tool in tools_by_app()[app] if f"{app}.{app_tool.name}" not in before
    ]
    check_refusals_change_nothing(common, None)
    for tool in tools_by_app()[app]:
        start = before.get(f"{app}.{tool.name}")
        if start is not None:
            check_refusals_change_nothing([tool], start)


def check_refusals_change_nothing(tools: list[Tool], start: bytes | None) -> None:
    with Session(everyday(), start) as session, Session(everyday(), start) as undisturbed:
        for tool in tools:
            name = f"{tool.app}.{tool.name}"
            days = {parameter for parameter, value in base_of(tool).items() if is_time(value)}
            for arguments in hostile_calls(tool):
                outcome = session.call(name, arguments)
                check_outcome(tool, outcome)
                if outcome.refused is not None:
                    continue
                assert all(
                    arguments[parameter] is None or is_time(arguments[parameter])
                    for parameter in days
                )
                assert bool(outcome.effects) is not tool.reads
                if not tool.reads:
                    assert undisturbed.call(name, arguments) == outcome
        assert session.digest() == undisturbed.digest()


@pytest.mark.parametrize("app", sorted(tools_by_app()))
def test_missing_and_mistyped_arguments_are_refused(app: str) -> None:
    with Session(everyday()) as session:
        for tool in tools_by_app()[app]:
            base = base_of(tool)
            needed = tool.schema().get("required", [])
            mistyped: dict[str, Plain] = {"of": "another type"}
            wrong: list[Arguments] = [{**base, "surplus": "x"}]
            wrong += [
                {parameter: base[parameter] for parameter in base if parameter != omitted}
                for omitted in needed
            ]
            wrong += [{**base, parameter: mistyped} for parameter in base]
            for arguments in wrong:
                outcome = session.call(f"{app}.{tool.name}", arguments)
                assert outcome.refused == "invalid_argument", (tool.name, arguments)


def test_every_id_parameter_is_a_result_of_some_tool() -> None:
    result_names = {
        name
        for outcome in walk().outcomes
        for record in records_of(outcome.result)
        for name in record
    }
    id_parameters = {
        field.name
        for tool in everyday().tools.values()
        for field in msgspec.structs.fields(tool.arguments)
        if field.name.endswith("_id")
    }
    assert id_parameters - result_names == set()


def test_apps_that_change_state_have_six_tools() -> None:
    assert {
        app: len(tools)
        for app, tools in tools_by_app().items()
        if len(tools) < 6 and not all(tool.reads for tool in tools)
    } == {}


def test_tables_are_strict_and_foreign_keys_are_valid() -> None:
    world = everyday()
    state = State(world.start, world.now)
    not_strict = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict"
    assert [row["name"] for row in state.rows(f"{not_strict} AND type = 'table'")] == [
        "sqlite_schema"
    ]
    assert state.rows("SELECT * FROM pragma_foreign_key_check") == []
    assert all(state.columns(name)[1] for name in state.tables())
    state.close()


def digest_walk_results() -> str:
    """Return a digest of the walk's results and of the state after them, without the search."""
    with Session(everyday()) as session:
        lines = [msgspec.json.encode(session.call(*call)).decode() for call in walk().calls]
        return hashlib.sha256("\n".join([*lines, session.digest()]).encode()).hexdigest()


def test_walk_results_are_equal_in_another_process() -> None:
    code = f"from {__name__} import digest_walk_results; print(digest_walk_results())"
    assert python("-c", code).stdout.strip() == digest_walk_results()
