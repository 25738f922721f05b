"""Check that distractors have the requested number and hardness and are never the right tool."""

import pytest

from benchloom.exchange.examples import Example
from benchloom.exchange.examples.distractors import Distraction, Hardness
from benchloom.exchange.examples.plans import example_of
from flows.stages.export.distractors import distractors_of
from tests.benchloom.exchange.examples.sample import DEFINITIONS
from tests.support.samples.plan_release import TOOLS, plans

TOOLS_BY_ID = {tool.definition_id: tool for tool in TOOLS}
EXAMPLES = [example_of(path, DEFINITIONS) for path in plans(20)]


def distractor_ids_of(example: Example, count: int, hardness: Hardness, seed: int = 0) -> list[str]:
    """Add distractors to an example and return their ids."""
    extended_example = distractors_of(TOOLS_BY_ID, Distraction(count, hardness, seed)).add_to(
        example
    )
    assert extended_example.definitions[:2] == example.definitions
    return [definition.definition_id for definition in extended_example.definitions[2:]]


@pytest.mark.parametrize("hardness", ["random", "same-app", "similar"])
def test_distractors_are_never_a_right_tool(hardness: Hardness) -> None:
    for example in EXAMPLES:
        distractor_ids = distractor_ids_of(example, 3, hardness)
        assert len(set(distractor_ids)) == len(distractor_ids) == 3
        apis = [TOOLS_BY_ID[definition_id].api for definition_id in distractor_ids]
        assert not {"Find", "Book"} & set(apis)
        assert len(set(apis)) == 3
        assert distractor_ids == distractor_ids_of(example, 3, hardness)
        if hardness == "same-app":
            assert {TOOLS_BY_ID[definition_id].app for definition_id in distractor_ids} == {
                "Bistros"
            }


def test_similar_distractors_have_similar_words() -> None:
    assert {
        TOOLS_BY_ID[definition_id].app
        for definition_id in distractor_ids_of(EXAMPLES[0], 2, "similar")
    } == {"Bistros"}


def test_another_seed_draws_other_distractors() -> None:
    draws = {
        seed: [distractor_ids_of(example, 2, "random", seed) for example in EXAMPLES]
        for seed in (0, 1)
    }
    assert draws[0] != draws[1]
    assert len({tuple(draw) for draw in draws[0]}) > 5


def test_number_of_distractors_is_limited_by_the_tools() -> None:
    assert len(distractor_ids_of(EXAMPLES[0], 50, "same-app")) == 3
    assert distractor_ids_of(EXAMPLES[0], 0, "random") == []
