"""Tests of ShortcutsBench's prompts: they contain previous actions with ids, and offered tools."""

import pytest

from benchloom.evaluate.benchmarks.shortcuts import BENCHMARK
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.protocols.shortcuts import (
    HOW_VALUES_ARE_WRITTEN,
    distractor_count,
    done_so_far,
)
from tests.benchloom.evaluate.shortcuts.drafts import (
    END,
    IF,
    output,
    samples,
    text,
    written_action,
)

SAMPLES = samples(
    ("comment", {"WFCommentActionText": "hens"}),
    ("getwifi", {"UUID": "W", "CustomOutputName": "Net"}),
    IF,
    ("showresult", {"Text": text("On ", output("W", "Net"))}),
    END,
    ("vibrate", {}),
)


def test_previous_actions_are_written_with_result_ids() -> None:
    assert done_so_far(SAMPLES[0]) == []
    made_up_id = "00000000-0000-4000-8000-00000000000{}"
    assert done_so_far(SAMPLES[2]) == [
        written_action("getwifi", UUID="W", CustomOutputName="Net"),
        written_action(
            "conditional", UUID=made_up_id.format(2), GroupingIdentifier="G", WFControlFlowMode=0
        ),
        written_action(
            "showresult",
            UUID=made_up_id.format(3),
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
        written_action(
            "conditional", UUID=made_up_id.format(4), GroupingIdentifier="G", WFControlFlowMode=2
        ),
    ]


def test_previous_actions_are_right_as_predictions() -> None:
    for sample in SAMPLES[:-1]:
        action = done_so_far(SAMPLES[-1])[0 if sample.position == 1 else 2]
        assert BENCHMARK.judge(sample, action, "right").outcome == "right"


def test_every_listed_result_can_be_referenced() -> None:
    last = SAMPLES[-1]
    steps = []
    for action in done_so_far(last):
        parameters = action["WFWorkflowActionParameters"]
        assert isinstance(parameters, dict)
        steps.append(labels_of(last.uuids).step(str(parameters["UUID"]), 5))
    assert steps == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(4))
def test_each_tool_gets_three_to_five_distractors(seed: int) -> None:
    assert 9 <= distractor_count(SAMPLES[0].example, seed) <= 15


def test_prompt_offers_twenty_tools_unless_more_are_needed() -> None:
    many = samples(*((f"x{n}", {}) for n in range(30)))[0].example
    assert distractor_count(many, 0) == 0
    few = samples(*((f"x{n}", {}) for n in range(6)))[0].example
    assert distractor_count(few, 0) == 14


def test_prompt_explains_every_form_of_value() -> None:
    for word in ("ActionOutput", "VariableName", "attachmentsByRange", "DictionaryKey", "Ask"):
        assert word in HOW_VALUES_ARE_WRITTEN
