"""Distractors: as many as asked for, of the right hardness, the same again, and never right."""

import pytest

from benchloom.exchange.examples import Example
from benchloom.exchange.examples.distractors import Distraction, Hardness
from benchloom.exchange.examples.plans import example_of
from flows.stages.export.distractors import distractors_of
from tests.benchloom.exchange.examples.sample import DEFINITIONS
from tests.support.samples.plan_release import TOOLS, plans

ALL = {one.definition_id: one for one in TOOLS}
EXAMPLES = [example_of(path, DEFINITIONS) for path in plans(20)]


def added(example: Example, count: int, hardness: Hardness, seed: int = 0) -> list[str]:
    extended_example = distractors_of(ALL, Distraction(count, hardness, seed)).add_to(example)
    assert extended_example.definitions[:2] == example.definitions
    return [definition.definition_id for definition in extended_example.definitions[2:]]


@pytest.mark.parametrize("hardness", ["random", "same-app", "similar"])
def test_none_is_a_tool_that_would_be_right(hardness: Hardness) -> None:
    for example in EXAMPLES:
        distractor_ids = added(example, 3, hardness)
        assert len(set(distractor_ids)) == len(distractor_ids) == 3
        apis = [ALL[definition_id].api for definition_id in distractor_ids]
        assert not {"Find", "Book"} & set(apis)
        assert len(set(apis)) == 3
        assert distractor_ids == added(example, 3, hardness)
        if hardness == "same-app":
            assert {ALL[definition_id].app for definition_id in distractor_ids} == {"Bistros"}


def test_similar_tools_come_first_whose_words_are_alike() -> None:
    assert {ALL[definition_id].app for definition_id in added(EXAMPLES[0], 2, "similar")} == {
        "Bistros"
    }


def test_another_seed_draws_others() -> None:
    draws = {seed: [added(example, 2, "random", seed) for example in EXAMPLES] for seed in (0, 1)}
    assert draws[0] != draws[1]
    assert len({tuple(draw) for draw in draws[0]}) > 5


def test_there_may_be_fewer() -> None:
    assert len(added(EXAMPLES[0], 50, "same-app")) == 3
    assert added(EXAMPLES[0], 0, "random") == []
