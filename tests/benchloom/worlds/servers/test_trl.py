"""Check the environments for TRL trainers with their typed tools and their rewards."""

import inspect
import typing
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.worlds.runs.offered_tools import REPLY, offer_of_task
from benchloom.worlds.servers.trl import (
    TaskEnvironment,
    TrainingTasks,
    _python_name,
    _type_of,
)
from tests.support.samples.errands import errands
from tests.support.samples.tasks_of_suites import tasks_of_suites

ALARM, TWO_TURNS, QUESTION = range(3)
"""Positions of the tasks in `errands()`."""


def tools_of(environment: TaskEnvironment) -> dict[str, Callable[..., Any]]:
    """Return the public methods of an environment, as a trainer finds them."""
    methods = dict(inspect.getmembers(environment, predicate=inspect.ismethod))
    return {name: method for name, method in methods.items() if name[0] != "_" and name != "reset"}


def test_row_contains_the_clock_and_the_first_turn() -> None:
    row, *_ = TrainingTasks(errands()).rows()
    assert set(row) == {"prompt", "task_id", "environment"}
    system, user = msgspec.convert(row["prompt"], list[dict[str, str]])
    assert system["content"].startswith("It is 20")
    assert user == {"role": "user", "content": errands()[ALARM].turns[0]}


def test_tool_documents_and_types_each_argument() -> None:
    environment = TrainingTasks(tasks_of_suites()).environment()
    offers = [offer_of_task(task) for task in tasks_of_suites()]
    schemas = {name: tool.arguments for offer in offers for name, tool in offer.tools.items()}
    tools = tools_of(environment)
    assert tools.keys() == schemas.keys() | {REPLY}
    for name, method in tools.items():
        hints = typing.get_type_hints(method)
        parameters = inspect.signature(method).parameters
        assert {*parameters, "return"} == hints.keys()
        assert all(f"\n    {argument}: " in (method.__doc__ or "") for argument in parameters)
        required = [key for key, value in parameters.items() if value.default is value.empty]
        if name != REPLY:
            names = msgspec.convert(schemas[name].get("required", []), list[str])
            assert set(required) == set(map(_python_name, names))


def test_environment_of_a_row_has_its_task_tools() -> None:
    training = TrainingTasks(errands())
    for task, row in zip(errands(), training.rows(), strict=True):
        offered = offer_of_task(task, replies="turns").tools
        assert tools_of(training.environments[str(row["environment"])]()).keys() == offered.keys()


def test_names_that_python_forbids_are_changed() -> None:
    names = ("from", "self", "to-city", "class_id")
    assert [_python_name(name) for name in names] == ["from_", "self_", "to_city", "class_id"]


def test_python_types_follow_the_json_schema() -> None:
    text = {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}
    assert _type_of(text) == str | None
    assert _type_of({"enum": ["a", "b"]}) == Literal["a", "b"]
    assert _type_of({"type": "array", "items": {"type": "number"}}) == list[float]
    assert _type_of({"type": "object"}) == dict[str, Any]
    assert _type_of({}) is Any


def test_refused_call_raises_an_error_for_the_model() -> None:
    environment = TrainingTasks(errands()).environment()
    tools = tools_of(environment)
    with pytest.raises(ValueError, match="call reset first"):
        tools["alarms__create_alarm"](time="07:05")
    environment.reset(errands()[QUESTION].task_id, prompt=[])
    for arguments in ({"time": "25:99"}, {"clock": "07:05"}, {}):
        with pytest.raises(ValueError, match=r"invalid_argument|unknown_tool"):
            tools["alarms__create_alarm"](**arguments)
    with pytest.raises(ValueError, match=f"unknown_tool: unknown tool '{REPLY}'"):
        tools[REPLY](message="Hm?")
    with pytest.raises(RunError, match="0 task ids begin with"):
        environment.reset("none")


def test_reward_requires_an_attempt() -> None:
    training = TrainingTasks(errands())
    with pytest.raises(ValueError, match="call reset first"):
        training.reward([training.environment()], [[]])


def test_empty_list_of_tasks_is_refused() -> None:
    with pytest.raises(RunError, match="there are no tasks"):
        TrainingTasks(())
