"""Check the facts that judging steps show beside the texts."""

import json

from prompts.data_block import read_data_block
from prompts.inputs.shortcuts import ApiText
from prompts.language.value_texts.decisions import Decision
from prompts.steps.instruction_score import RULES, ScoreInput
from prompts.steps.instruction_score import STEP as SCORE
from prompts.steps.parameters import STEP as PARAMETERS
from prompts.steps.parameters import ParametersInput
from prompts.talks import Asker


def decision(action_index: int, name: str, value: str, *titles: str) -> Decision:
    return Decision(action_index, "tea.brew", name, value, "say", "text", name, titles)


def test_parameters_are_shown_with_their_actions_and_apis() -> None:
    brew = 'Brew Tea(minutes: 3, sort: "green")'
    parameters_input = ParametersInput(
        "Brew me some green tea",
        (
            decision(0, "minutes", "3", "three", "3"),
            decision(0, "sort", "green", "Green"),
            decision(1, "cups", "2"),
        ),
        (ApiText("Brew Tea", "Brews a pot of tea."),),
        {0: brew, 1: "Pour Tea(cups: 2)"},
    )
    request = next(PARAMETERS.converse(parameters_input, Asker(model="")))
    data_block = json.loads(json.dumps(read_data_block(request.messages[1].content)))
    assert data_block["apis"] == [{"title": "Brew Tea", "description": "Brews a pot of tea."}]
    assert data_block["parameters"] == [
        {"number": 0, "what": "minutes", "value": "3", "also": ["three"], "action": brew},
        {"number": 1, "what": "sort", "value": "green"},
        {"number": 2, "what": "cups", "value": "2", "action": "Pour Tea(cups: 2)"},
    ]


def test_score_prompt_shows_the_requested_style() -> None:
    request = next(SCORE.converse(ScoreInput("Tea, now.", (), "terse"), Asker(model="")))
    assert read_data_block(request.messages[1].content) == {
        "text": "Tea, now.",
        "others": [],
        "style": "terse",
    }
    assert '"style"' in RULES
