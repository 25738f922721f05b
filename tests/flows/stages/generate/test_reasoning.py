"""Check that models that reason before they reply need enough reply tokens."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from flows.configuration.table import GenerateOptions, ReplyOptions, TextOptions
from flows.stages.generate.model import asker_of
from flows.stages.generate.plan import cases_of
from prompts.endpoint.wire import request_fields
from prompts.exchange import Dialect
from prompts.steps import Case
from tests.support.llm.server import LlmServer
from tests.support.llm.world import endpoint_for, plan_for, run_step, shortcuts_folder

REASONING_TOKENS = 4_000


@pytest.mark.parametrize("batch", [False, True])
def test_reasoning_model_works_with_enough_reply_tokens(tmp_path: Path, *, batch: bool) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 12))
    plan = msgspec.structs.replace(plan, reply_tokens=8_000, reasoning_effort="low")
    with LlmServer(thinks=REASONING_TOKENS).running() as server:
        outcome = run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url, batch=batch))
    assert outcome.kept == 12
    assert outcome.spending is not None
    assert server.billing.billed == 12
    bill = server.billing.usd(1.0, 4.0)
    assert bill > 12 * REASONING_TOKENS * 4e-6 * (0.5 if batch else 1), (
        "reasoning tokens are billed"
    )
    assert outcome.spending.settled_usd == pytest.approx(bill, abs=12e-9)


def test_truncated_replies_stop_the_run_and_name_the_option(tmp_path: Path) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 60))
    with (
        LlmServer(thinks=REASONING_TOKENS).running() as server,
        pytest.raises(RunError, match=r"set reply_tokens in \[generate\] \(--reply-tokens 8000\)"),
    ):
        run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url))
    # Only conversations in flight are billed, each with at most two requests.
    assert server.billing.billed <= 2 * 64 + 4


def test_reply_settings_change_the_plan_but_not_its_job(tmp_path: Path) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 3))
    other = msgspec.structs.replace(plan, reply_tokens=8_000)
    assert plan.decides() != other.decides()
    assert plan.job() == other.job(), "one cap for both"


def test_reply_settings_of_a_step_override_the_general_ones(tmp_path: Path) -> None:
    options = GenerateOptions.model_validate(
        {
            "reply_tokens": 8000,
            "request_fields": '{"top_p": 0.9}',
            "query": {"reasoning_effort": "low", "request_fields": '{"top_p": 0.5}'},
        }
    )
    expected_options = ReplyOptions(
        reply_tokens=8000, reasoning_effort="low", request_fields='{"top_p": 0.5}'
    )
    assert options.replies_of("query") == TextOptions(**expected_options.model_dump())
    assert options.replies_of("nested").request_fields == '{"top_p": 0.9}'
    plan = plan_for(shortcuts_folder(tmp_path / "in", 1))
    settings = expected_options.model_dump()
    changed = msgspec.structs.replace(plan, **settings)
    assert changed.decides() != msgspec.structs.replace(changed, request_fields=None).decides()
    step, (case,) = plan.definition(), list(cases_of(plan))
    assert isinstance(case, Case)
    fields = request_fields(next(step.converse(case.input, asker_of(changed))), Dialect())
    assert (fields["top_p"], fields["max_tokens"], fields["reasoning_effort"]) == (0.5, 8000, "low")
