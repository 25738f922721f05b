"""Check that examples in prompts are real plans that call none of the drawn tools."""

from pathlib import Path

import msgspec

from benchloom.storage.tables import write_table
from prompts.steps import Case, Sampling
from prompts.steps.nested import STEP
from prompts.templates.examples import Examples
from prompts.tools.call_sequence import check_calls
from prompts.tools.tool import Tool, read_tools
from tests.prompts.plans.boat_world import STEPS, plan, write_world

COMPLETE_STEPS = tuple(
    msgspec.structs.replace(
        plan_step,
        arguments=tuple(
            argument for argument in plan_step.arguments if argument.provenance != "system"
        ),
    )
    for plan_step in STEPS
)
OTHER = Tool("shop.buy", "Buy", "Buys a thing")


def write_plans(folder: Path, count: int) -> None:
    write_world(folder, plan(*COMPLETE_STEPS))
    paths = [
        msgspec.structs.replace(plan(*COMPLETE_STEPS), path_id=f"plan:{number}")
        for number in range(count)
    ]
    failed = plan(msgspec.structs.replace(COMPLETE_STEPS[0], outcome="failed"), COMPLETE_STEPS[1])
    write_table("planning_paths", (*paths, failed), folder / "planning_paths.parquet")


def test_examples_are_plans_valid_under_their_definitions(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    examples = Examples(tmp_path, 0).examples_for((OTHER,), 0, 2)
    assert len(examples) == 2
    for example in examples:
        check_calls(example.calls, list(read_tools(tmp_path)))
        assert example.calls[1].arguments[0].value == "$var1.boat_name$"
        assert "Gull" not in example.query
        assert not any(argument.name == "insured" for argument in example.calls[1].arguments)


def test_examples_never_call_a_drawn_tool(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    drawn = Tool("Harbour_2.HireBoat", "Hire boat", "Hires a boat")
    assert Examples(tmp_path, 0).examples_for((drawn, OTHER), 0, 2) == ()


def test_examples_are_reproducible_and_need_plans(tmp_path: Path) -> None:
    write_plans(tmp_path, 80)
    assert Examples(tmp_path, 4).examples_for((OTHER,), 1, 2) == Examples(tmp_path, 4).examples_for(
        (OTHER,), 1, 2
    )
    (tmp_path / "planning_paths.parquet").unlink()
    assert Examples(tmp_path, 4).examples_for((OTHER,), 1, 2) == ()


def test_step_shows_only_examples_of_other_tools(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    case, *repeats = STEP.cases(tmp_path, Sampling(count=4))
    assert isinstance(case, Case)
    drawn = {tool.api for tool in case.input.apis}
    assert not any(drawn & example.apis() for example in case.input.examples)
    # The world has a single chain, so the other draws yield no case.
    assert not any(isinstance(repeat, Case) for repeat in repeats)
