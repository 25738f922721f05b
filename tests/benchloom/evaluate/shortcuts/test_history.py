"""What a model is told: the actions before, with ids, and the tools it chooses from."""

import msgspec
import pytest

from benchloom.core.records import ApiDefinition
from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.history import (
    HOW_VALUES_ARE_WRITTEN,
    distractor_count,
    done_so_far,
    own_tools,
    tools_of,
)
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.exchange.examples import Example
from tests.benchloom.evaluate.shortcuts.drafts import (
    END,
    IF,
    PREFIX,
    acted,
    output,
    samples,
    text,
)


def definition(name: str, **changes: object) -> ApiDefinition:
    base_definition = ApiDefinition(
        definition_id=f"d {name}",
        api=PREFIX + name,
        app=None,
        source_kind="toolkit",
        source_uri="invented",
        source_digest="",
        title=name,
    )
    return msgspec.structs.replace(base_definition, **changes)


SAMPLES = samples(
    ("comment", {"WFCommentActionText": "hens"}),
    ("getwifi", {"UUID": "W", "CustomOutputName": "Net"}),
    IF,
    ("showresult", {"Text": text("On ", output("W", "Net"))}),
    END,
    ("vibrate", {}),
)
POOL = {f"d {n}": definition(n) for n in ("getwifi", "showresult", "vibrate", "comment")}
POOL |= {f"x{n}": definition(f"x{n}") for n in range(40)}
POOL |= {"old": definition("old", deprecated=True), "bare": definition("bare", title=None)}
POOL["bus"] = definition("bus", source_kind="sgd")


def example() -> Example:
    own = tuple(POOL[f"d {n}"] for n in ("comment", "vibrate", "showresult", "getwifi"))
    return msgspec.structs.replace(SAMPLES[0].example, definitions=own)


def test_the_actions_before_are_told_with_the_ids_of_their_results() -> None:
    assert done_so_far(SAMPLES[0]) == []
    made_up = "00000000-0000-4000-8000-00000000000{}"
    assert done_so_far(SAMPLES[2]) == [
        acted("getwifi", UUID="W", CustomOutputName="Net"),
        acted("conditional", UUID=made_up.format(2), GroupingIdentifier="G", WFControlFlowMode=0),
        acted(
            "showresult",
            UUID=made_up.format(3),
            Text={
                "Value": {
                    "string": "On \ufffc",
                    "attachmentsByRange": {
                        "{3, 1}": {
                            "Type": "ActionOutput",
                            "OutputUUID": "W",
                            "OutputName": "Net",
                        }
                    },
                }
            },
        ),
        acted("conditional", UUID=made_up.format(4), GroupingIdentifier="G", WFControlFlowMode=2),
    ]


def test_what_is_told_can_be_answered_with() -> None:
    for sample in SAMPLES[:-1]:
        action = done_so_far(SAMPLES[-1])[0 if sample.position == 1 else 2]
        assert BENCHMARK.judge(sample, action, "right").outcome == "right"


def test_every_result_that_is_told_can_be_referred_to() -> None:
    last = SAMPLES[-1]
    steps = []
    for action in done_so_far(last):
        parameters = action["WFWorkflowActionParameters"]
        assert isinstance(parameters, dict)
        steps.append(labels_of(last.uuids).step(str(parameters["UUID"]), 5))
    assert steps == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(4))
def test_tools_are_own_ones_and_distractors_of_a_seed(seed: int) -> None:
    tools = tools_of(example(), POOL, seed)
    names = [tool.api.removeprefix(PREFIX) for tool in tools]
    assert names == sorted(names)
    assert {"getwifi", "showresult", "vibrate"} <= set(names)
    assert not {"old", "bare", "bus", "comment"} & set(names)
    assert len(names) == 3 + distractor_count(example(), seed)
    assert 9 <= distractor_count(example(), seed) <= 15
    assert tools_of(example(), dict(reversed(POOL.items())), seed) == tools


def test_another_seed_draws_others() -> None:
    assert len({tools_of(example(), POOL, seed) for seed in range(4)}) == 4


def test_twenty_tools_at_most_unless_more_are_needed() -> None:
    many = samples(*((f"x{n}", {}) for n in range(30)))[0].example
    assert distractor_count(many, 0) == 0
    wide = msgspec.structs.replace(many, definitions=tuple(POOL.values()))
    assert len(own_tools(wide)) == 30
    few = samples(*((f"x{n}", {}) for n in range(6)))[0].example
    assert distractor_count(few, 0) == 14


def test_how_values_are_written_is_how_they_are_read() -> None:
    for word in ("ActionOutput", "VariableName", "attachmentsByRange", "DictionaryKey", "Ask"):
        assert word in HOW_VALUES_ARE_WRITTEN
