"""Examples beside drawn tools: real plans, the same for the same seed, never of those tools."""

from pathlib import Path

import msgspec

from benchloom.storage.tables import write_table
from prompts.steps import Case, Sampling
from prompts.steps.nested import STEP
from prompts.templates.examples import Examples
from prompts.tools.call_sequence import check_calls
from prompts.tools.tool import Tool, read_tools
from tests.prompts.plans.boat_world import STEPS, plan, write_world

WHOLE = tuple(
    msgspec.structs.replace(
        one, arguments=tuple(a for a in one.arguments if a.provenance != "system")
    )
    for one in STEPS
)
OTHER = Tool("shop.buy", "Buy", "Buys a thing")


def write_plans(folder: Path, count: int) -> None:
    write_world(folder, plan(*WHOLE))
    paths = [msgspec.structs.replace(plan(*WHOLE), path_id=f"plan:{n}") for n in range(count)]
    failed = plan(msgspec.structs.replace(WHOLE[0], outcome="failed"), WHOLE[1])
    write_table("planning_paths", (*paths, failed), folder / "planning_paths.parquet")


def test_an_example_is_a_plan_as_its_definitions_allow(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    examples = Examples(tmp_path, 0).examples_for((OTHER,), 0, 2)
    assert len(examples) == 2
    for example in examples:
        check_calls(example.calls, list(read_tools(tmp_path)))
        assert example.calls[1].arguments[0].value == "$var1.boat_name$"
        assert "Gull" not in example.query
        assert not any(argument.name == "insured" for argument in example.calls[1].arguments)


def test_no_example_calls_a_drawn_tool(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    drawn = Tool("Harbour_2.HireBoat", "Hire boat", "Hires a boat")
    assert Examples(tmp_path, 0).examples_for((drawn, OTHER), 0, 2) == ()


def test_a_seed_draws_the_same_and_a_folder_without_plans_none(tmp_path: Path) -> None:
    write_plans(tmp_path, 80)
    assert Examples(tmp_path, 4).examples_for((OTHER,), 1, 2) == Examples(tmp_path, 4).examples_for(
        (OTHER,), 1, 2
    )
    (tmp_path / "planning_paths.parquet").unlink()
    assert Examples(tmp_path, 4).examples_for((OTHER,), 1, 2) == ()


def test_the_step_shows_them_beside_other_tools_only(tmp_path: Path) -> None:
    write_plans(tmp_path, 3)
    case, *repeats = STEP.cases(tmp_path, Sampling(count=4))
    assert isinstance(case, Case)
    drawn = {tool.api for tool in case.input.apis}
    assert not any(drawn & example.apis() for example in case.input.examples)
    # The world has one chain, which is drawn once.
    assert not any(isinstance(repeat, Case) for repeat in repeats)
