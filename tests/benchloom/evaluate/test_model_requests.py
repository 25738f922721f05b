"""Tests of requests to models: gold is right by every protocol, and no prompt reveals gold."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.identity import rank
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.model_requests import PAPER, Choice, ModelRequests, gold_calls
from benchloom.evaluate.protocol import TOOLS, PredictedCall, Prompt, Reply
from benchloom.evaluate.protocols import PROTOCOLS
from benchloom.exchange.examples.distractors import Hardness
from tests.support.llm.scripted import right_reply

SAMPLES = {"api-bank": 16, "shortcuts": 6, "shortcut-effects": 12}
PROTOCOL_VARIANTS = [
    (name, variant)
    for name, protocol in PROTOCOLS.all().items()
    for variant in (*protocol.variants, TOOLS)
]


def requests_of(
    gold: Path, benchmark: str, protocol: str = PAPER, **options: object
) -> ModelRequests:
    """Return the requests of an evaluation of this benchmark by this protocol."""
    fields = {"benchmark": benchmark, "gold": str(gold), "protocol": protocol, **options}
    return ModelRequests(msgspec.convert(fields, Choice))


def converse(requests: ModelRequests, sample: Sample) -> tuple[list[Prompt], list[Reply]]:
    """Return the prompts about a sample, and the replies of a model that is always right."""
    prompts: list[Prompt] = []
    replies: list[Reply] = []
    while (prompt := requests.ask(sample, replies)) is not None:
        prompts.append(prompt)
        replies.append(right_reply(requests, sample, prompt, replies))
    return prompts, replies


def text_of(prompts: Sequence[Prompt]) -> str:
    return "\n".join(str(message) for prompt in prompts for message in prompt.messages)


@pytest.mark.parametrize(("benchmark", "protocol"), PROTOCOL_VARIANTS)
def test_gold_is_right_by_every_protocol(
    evaluation_gold: Path, benchmark: str, protocol: str
) -> None:
    evaluation = requests_of(evaluation_gold, benchmark, protocol)
    outcomes: Counter[str] = Counter()
    for sample in evaluation.samples.values():
        prompts, replies = converse(evaluation, sample)
        assert len(prompts) == (2 if protocol == "hierarchical" else 1)
        output = evaluation.output(sample, replies)
        outcomes[evaluation.benchmark.judge(sample, output, "right").outcome] += 1
    assert outcomes == {"right": len(evaluation.samples)}
    assert len(evaluation.samples) == SAMPLES.get(benchmark, 4)


@pytest.mark.parametrize(("benchmark", "protocol"), PROTOCOL_VARIANTS)
def test_prompts_reveal_neither_gold_nor_later_turns(
    evaluation_gold: Path, benchmark: str, protocol: str
) -> None:
    evaluation = requests_of(evaluation_gold, benchmark, protocol)
    for sample in evaluation.samples.values():
        prompts, _ = converse(evaluation, sample)
        prompt_text = text_of(prompts)
        gold = evaluation.benchmark.text_of(sample, gold_calls(sample))
        assert gold not in prompt_text
        if sample.position is None:
            continue
        last = prompts[-1].messages
        call_count = sum(len(message.calls) for message in last)
        if protocol == TOOLS:
            assert call_count == sample.position
        if benchmark == "api-bank":
            is_booked = sample.position == 2
            assert ("19:00" in prompt_text) is is_booked
            later = {(1, "call"), (2, "response")}
            assert ("Book it." in prompt_text) is ((sample.position, sample.aspect) in later)


def test_worked_examples_come_from_other_training_rows(evaluation_gold: Path) -> None:
    evaluation = requests_of(evaluation_gold, "nestful", shots=1)
    for sample in evaluation.samples.values():
        ((*_, question),) = ([*prompt.messages] for prompt in converse(evaluation, sample)[0])
        messages = converse(evaluation, sample)[0][0].messages
        assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
        assert messages[1].text != question.text == sample.example.request
        assert messages[1].text in {
            other_sample.example.request
            for other_sample in evaluation.samples.values()
            if other_sample.example.split == "train"
        }


def test_equal_seeds_draw_equal_samples_and_tools(evaluation_gold: Path) -> None:
    def drawn_ids(seed: int) -> list[str]:
        return list(requests_of(evaluation_gold, "api-bank", limit=5, seed=seed).samples)

    all_ids = list(requests_of(evaluation_gold, "api-bank").samples)
    assert drawn_ids(1) == drawn_ids(1) == sorted(drawn_ids(1), key=all_ids.index)
    assert set(drawn_ids(1)) == set(sorted(all_ids, key=lambda sample_id: rank(1, sample_id))[:5])
    assert len({tuple(drawn_ids(seed)) for seed in range(5)}) > 1

    def tool_names(seed: int, hardness: Hardness) -> list[tuple[str, ...]]:
        evaluation = requests_of(
            evaluation_gold, "appbench", TOOLS, distractors=2, seed=seed, hardness=hardness
        )
        prompts = [evaluation.ask(sample, []) for sample in evaluation.samples.values()]
        return [
            tuple(tool.name for tool in prompt.tools) for prompt in prompts if prompt is not None
        ]

    assert tool_names(0, "random") == tool_names(0, "random")
    assert {len(names) for names in tool_names(0, "random")} == {4}
    assert len({str(tool_names(seed, "random")) for seed in range(5)}) > 1
    near = {name for names in tool_names(0, "same-app") for name in names}
    assert all(name.startswith("Bistros__") for name in near)


def test_split_option_restricts_the_samples(evaluation_gold: Path) -> None:
    samples = requests_of(evaluation_gold, "appbench", split="train").samples.values()
    assert [sample.example.split for sample in samples] == ["train", "train"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "steep"}, "no protocol 'steep'; known: hierarchical, flat, tools"),
        (
            {"split": "dev"},
            "the gold has no sample in split 'dev'; its splits are: test, train, validation",
        ),
        ({"shots": 9}, "takes 0 to 5 shots"),
        ({"shots": 1, "protocol": TOOLS}, "takes 0 to 0 shots"),
        ({"shots": 4}, "too few samples for 4 shots"),
        ({"limit": 0}, "the limit of a run must be at least 1"),
        ({"hardness": "similar"}, "must be 'random' or 'same-app'"),
        ({"benchmark": "appbnch"}, "appbench"),
        ({"gold": "nowhere"}, "nowhere: no such file or folder"),
    ],
)
def test_invalid_options_are_refused(
    evaluation_gold: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(RunError, match=message):
        ModelRequests(
            msgspec.convert(
                {"benchmark": "appbench", "gold": str(evaluation_gold), **options}, Choice
            )
        )


def test_choice_survives_its_plain_form() -> None:
    choice = Choice(benchmark="nestful", gold="place", shots=2, limit=3)
    assert msgspec.convert(choice.as_plain(), Choice) == choice


def test_call_instead_of_a_response_earns_nothing(evaluation_gold: Path) -> None:
    evaluation = requests_of(evaluation_gold, "api-bank", TOOLS)
    response = next(sample for sample in evaluation.samples.values() if sample.aspect == "response")
    reply = Reply("", (PredictedCall("Bistros__Book", {"name": "x"}),))
    judgement = evaluation.benchmark.judge(response, evaluation.output(response, [reply]), "right")
    assert judgement.outcome != "right"
    assert not judgement.counts.get("rouge_l")


def test_unknown_tool_or_unreadable_arguments_are_wrong(evaluation_gold: Path) -> None:
    evaluation = requests_of(evaluation_gold, "nestful", TOOLS)
    sample = next(iter(evaluation.samples.values()))
    (prompt,), (right,) = converse(evaluation, sample)
    assert len(prompt.tools) > 2
    unknown_tool = Reply("", (PredictedCall("Kiosks__Order", {"what": "tea"}), *right.calls))
    broken = Reply("", (msgspec.structs.replace(right.calls[0], problem="no JSON"),))

    def outcome(reply: Reply) -> str:
        return evaluation.benchmark.judge(
            sample, evaluation.output(sample, [reply]), "right"
        ).outcome

    assert outcome(right) == "right"
    assert outcome(unknown_tool) not in {"right", "unparseable"}
    assert outcome(broken) == "unparseable"


def test_apps_are_recognised_as_whole_words(evaluation_gold: Path) -> None:
    evaluation = requests_of(evaluation_gold, "appbench")
    sample = next(iter(evaluation.samples.values()))
    assert evaluation.ask(sample, [Reply("None: Bistrosomething.")]) is None
    assert evaluation.output(sample, [Reply("None: Bistrosomething.")]) == ""
    assert evaluation.ask(sample, [Reply('I need "Bistros", and nothing else.')]) is not None
