"""A step is what its flow is; what the end of a server cancels is no news."""

import asyncio
import logging
from pathlib import Path

import pytest
from prefect import flow

from flows.engine.own_server import NotAtTheEnd
from flows.engine.run_log import run_logger, tell
from flows.engine.steps import as_step
from flows.parse import parse


def test_a_step_does_what_its_flow_does_under_the_same_name() -> None:
    step = as_step(parse)
    told = vars(step)
    assert told["fn"] is parse.fn
    assert told["name"] == parse.name == "parse"
    assert told["description"] == parse.description
    parameters = {"inputs": [Path("a/shop.zip"), "more"], "workspace": Path("w")}
    assert told["task_run_name"](parameters) == "parse shop.zip, more"


def test_a_flow_whose_runs_have_no_name_of_ours_is_no_step() -> None:
    @flow(name="nameless")
    async def nameless() -> None: ...

    with pytest.raises(TypeError, match="'nameless' has no name of ours"):
        as_step(nameless)


def test_outside_of_a_run_nothing_can_be_told() -> None:
    for ask in (run_logger, lambda: tell("a line")):
        with pytest.raises(RuntimeError, match="no flow run"):
            ask()


@pytest.mark.parametrize(
    ("fault", "is_told"), [(asyncio.CancelledError("the end"), False), (OSError("full"), True)]
)
def test_only_what_was_cancelled_is_not_logged(fault: BaseException, *, is_told: bool) -> None:
    told = (type(fault), fault, None)
    record = logging.makeLogRecord({"msg": "states", "exc_info": told})
    assert NotAtTheEnd().filter(record) is is_told
    assert NotAtTheEnd().filter(logging.makeLogRecord({"msg": "nothing"}))
