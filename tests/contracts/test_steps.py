"""Every LLM step runs through this suite with the sample it brings."""

import re

import msgspec
import pytest

from benchloom.tables import table_names
from prompts.endpoint.exchange import Answer, Reply, Request, answer_to
from prompts.steps import STEPS, AnyStep
from prompts.steps.base import Grade, Written
from prompts.talks.conversation import Asker
from prompts.talks.data_block import CLOSE, OPEN, read_data_block
from prompts.talks.driver import Talk
from tests.llm_model import write_reply

NAMES = STEPS.names()
ASKER = Asker(model="m")


@pytest.fixture(params=NAMES)
def step(request: pytest.FixtureRequest) -> AnyStep:
    return STEPS.find(request.param)


def answered(request: Request, content: str) -> Answer:
    return answer_to(request.digest(), Reply("answered", content, 10, 5))


def play(step: AnyStep, replies: tuple[str, ...], asker: Asker = ASKER) -> Talk[Written | Grade]:
    talk: Talk[Written | Grade] = Talk(step.converse(step.sample().given, asker))
    for reply in replies:
        assert talk.requested is not None, "the sample brings more replies than are asked for"
        talk.hear(answered(talk.requested, reply))
    return talk


def requests_of(step: AnyStep, asker: Asker = ASKER) -> list[Request]:
    talk: Talk[Written | Grade] = Talk(step.converse(step.sample().given, asker))
    asked = []
    for reply in step.sample().replies:
        assert talk.requested is not None
        asked.append(talk.requested)
        talk.hear(answered(talk.requested, reply))
    return asked


def test_the_seven_steps_are_there() -> None:
    expected = "category dialogue instruction instruction_score nested parameters query"
    assert expected.split() == list(NAMES)


def test_good_replies_give_a_result(step: AnyStep) -> None:
    talk = play(step, step.sample().replies)
    assert talk.fault is None
    assert talk.requested is None
    assert isinstance(talk.value, Grade if step.judges else Written)
    assert talk.spent.requests == len(step.sample().replies)


def test_the_local_model_can_do_it(step: AnyStep) -> None:
    talk: Talk[Written | Grade] = Talk(step.converse(step.sample().given, ASKER))
    for _ in range(10):
        if talk.requested is None:
            break
        fields = {"messages": [msgspec.structs.asdict(m) for m in talk.requested.messages]}
        talk.hear(answered(talk.requested, write_reply(fields)))
    assert talk.fault is None


def test_requests_are_the_same_every_time(step: AnyStep) -> None:
    first = [request.digest() for request in requests_of(step)]
    assert first == [request.digest() for request in requests_of(step)]
    assert len(set(first)) == len(first)


def test_what_strangers_wrote_stays_in_the_data_block(step: AnyStep) -> None:
    stranger = step.sample().stranger
    found = False
    for request in requests_of(step):
        system, user = request.messages
        assert stranger not in system.content
        assert user.content.startswith(OPEN)
        assert user.content.endswith(CLOSE)
        found = found or stranger in str(read_data_block(user.content))
    assert found, "the sample's stranger is in no prompt"


def test_every_reply_schema_is_strict(step: AnyStep) -> None:
    for request in requests_of(step):
        assert request.parameters.reply_schema is not None
        pending = [msgspec.json.decode(request.parameters.reply_schema)]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                assert "$ref" not in node
                if node.get("type") == "object":
                    assert node["additionalProperties"] is False
                    assert node["required"] == sorted(node["properties"])
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)


def test_without_structured_outputs_the_prompt_tells_the_schema(step: AnyStep) -> None:
    asker = msgspec.structs.replace(ASKER, structured=False)
    for request, structured in zip(requests_of(step, asker), requests_of(step), strict=True):
        assert request.parameters.reply_schema is None
        assert structured.parameters.reply_schema is not None
        assert structured.parameters.reply_schema in request.messages[0].content


@pytest.mark.parametrize(
    "bad", ["", "no", "{}", "[1]", '{"x": 1}', "null", "[" * 100_000, '{"query": "\\ud800"}']
)
def test_a_reply_that_cannot_be_read_is_asked_for_once_more(step: AnyStep, bad: str) -> None:
    good = step.sample().replies
    mended = play(step, (bad, *good))
    assert mended.fault is None
    assert isinstance(mended.value, Grade if step.judges else Written)
    lost = play(step, (bad, bad))
    assert lost.fault is not None
    assert lost.fault.reason == "unreadable_reply"
    assert lost.requested is None


def test_unknown_keys_are_refused(step: AnyStep) -> None:
    first = msgspec.json.decode(step.sample().replies[0])
    widened = msgspec.json.encode({**first, "system": "do as I say"}).decode()
    talk = play(step, (widened, widened))
    assert talk.fault is not None
    assert talk.fault.reason == "unreadable_reply"


def test_the_rules_are_not_copied_into_one_another(step: AnyStep) -> None:
    rules = [request.messages[0].content for request in requests_of(step)]
    for text in rules:
        assert re.match(rf"Task: {step.name}(/\w+)?\n", text)
        assert len(text) > 200


def test_it_reads_and_makes_known_things(step: AnyStep) -> None:
    known = {*table_names(), "shortcuts", "queries", "planning_paths", "api_definitions"}
    assert set(step.reads) <= known
    assert step.version
    assert 0 < step.expected_tokens_out < step.max_tokens
    assert step.expected_requests == len(step.sample().replies)


def test_a_template_passes_the_same_checks_as_a_model() -> None:
    with_template = [
        name for name in NAMES if STEPS.find(name).template(STEPS.find(name).sample().given)
    ]
    assert with_template == ["category", "instruction", "query"]
