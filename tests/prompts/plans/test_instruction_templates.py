"""Instructions of the offline writer: whole sentences that say every value."""

from pathlib import Path

import msgspec
import pytest

from prompts.inputs.planning_paths import PathInput
from prompts.language.saying import says
from prompts.steps.base import Case, Sampling
from prompts.steps.instruction import STEP
from prompts.styles import STYLES
from prompts.templates.instructions import write_instruction
from tests.prompts.plans.boat_world import STEPS, literal, plan, step, write_world


def given(folder: Path, *steps: object) -> PathInput:
    write_world(folder, plan(*steps))  # type: ignore[arg-type]
    (case,) = STEP.cases(folder, Sampling())
    assert isinstance(case, Case)
    return case.given


@pytest.mark.parametrize("style", [*STYLES, None])
def test_every_value_is_said_and_nothing_is_given_away(style: object, tmp_path: Path) -> None:
    told = msgspec.structs.replace(given(tmp_path, *STEPS), style=style)
    text = write_instruction(told)
    assert [value.name for value in told.known if not says(text, value)] == []
    assert "Gull" not in text
    assert "Cash" not in text
    assert "that boat" in text
    assert text == write_instruction(told)
    assert text[0].isupper()
    assert text[-1] in ".?"


def test_the_sentence_reads_as_people_ask(tmp_path: Path) -> None:
    text = write_instruction(msgspec.structs.replace(given(tmp_path, *STEPS), style=STYLES[0]))
    wish = text.removeprefix("Needed: ").casefold()
    assert wish == (
        "find a boat in nordhafen with a sail and ketch as the boat kind without crew and hire "
        "that boat for 2 guests for 2 days with start on may 3rd."
    )


def test_a_call_that_is_made_again_says_only_what_is_new(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("harbour_city", "Ostrand"), outcome="failed")
    second = step(1, "FindBoat", literal("harbour_city", "Nordhafen"))
    text = write_instruction(given(tmp_path, first, second))
    assert "find a boat in Ostrand" in text or "Find a boat in Ostrand" in text
    assert text.count("find a boat") + text.count("Find a boat") == 1
    assert "in Nordhafen" in text


def test_a_plan_without_any_value_is_still_a_request(tmp_path: Path) -> None:
    text = write_instruction(given(tmp_path, step(0, "FindBoat")))
    assert "ind a boat" in text
    assert len(text.split()) > 2


def test_a_shared_day_is_said_by_its_date_where_there_were_several(tmp_path: Path) -> None:
    first = step(0, "FindBoat", literal("sail_date", "2031-05-03"))
    second = step(1, "HireBoat", literal("start_date", "2031-05-09"))
    third = msgspec.structs.replace(
        step(2, "FindBoat", literal("sail_date", "2031-05-03")), index=2
    )
    text = write_instruction(given(tmp_path, first, second, third))
    assert text.count("May 3rd") == 2
    assert "same day" not in text
    text = write_instruction(
        given(tmp_path, first, step(1, "HireBoat", literal("x", "2031-05-03")))
    )
    assert "on the same day" in text
