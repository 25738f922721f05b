"""Every LLM step runs through this suite with the sample it brings."""

import re
from collections.abc import Callable

import msgspec
import pytest

from benchloom.storage.tables import table_names
from prompts.data_block import CLOSE, OPEN, read_data_block
from prompts.exchange import Answer, Reply, Request, answer_to
from prompts.steps import STEPS, AnyStep, Grade, Written
from prompts.talks import Asker
from prompts.talks.driver import Talk
from tests.prompts.samples import SAMPLES
from tests.support.llm.model import write_reply

NAMES = STEPS.names()
ASKER = Asker(model="m")
UNREADABLE = ("", "no", "{}", "[1]", '{"x": 1}', "null", "[" * 100_000, '{"query": "\\ud800"}')


def answered(request: Request, content: str) -> Answer:
    return answer_to(request.digest(), Reply("answered", content, 10, 5))


def play(step: AnyStep, replies: tuple[str, ...], asker: Asker = ASKER) -> Talk[Written | Grade]:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).given, asker))
    for reply in replies:
        assert talk.requested is not None, "the sample brings more replies than are asked for"
        talk.receive(answered(talk.requested, reply))
    return talk


def requests_of(step: AnyStep, asker: Asker = ASKER) -> list[Request]:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).given, asker))
    requests = []
    for reply in SAMPLES.find(step.name).replies:
        assert talk.requested is not None
        requests.append(talk.requested)
        talk.receive(answered(talk.requested, reply))
    return requests


def gives_a_result_from_good_replies(step: AnyStep) -> None:
    talk = play(step, SAMPLES.find(step.name).replies)
    assert talk.fault is None
    assert talk.requested is None
    assert isinstance(talk.value, Grade if step.judges else Written)
    assert talk.spent.requests == len(SAMPLES.find(step.name).replies)


def can_be_done_by_the_local_model(step: AnyStep) -> None:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).given, ASKER))
    for _ in range(10):
        if talk.requested is None:
            break
        fields = {"messages": [msgspec.structs.asdict(m) for m in talk.requested.messages]}
        talk.receive(answered(talk.requested, write_reply(fields)))
    assert talk.fault is None


def asks_the_same_every_time(step: AnyStep) -> None:
    first = [request.digest() for request in requests_of(step)]
    assert first == [request.digest() for request in requests_of(step)]
    assert len(set(first)) == len(first)


def keeps_strangers_in_the_data_block(step: AnyStep) -> None:
    stranger = SAMPLES.find(step.name).stranger
    is_present = False
    for request in requests_of(step):
        system, user = request.messages
        assert stranger not in system.content
        assert user.content.startswith(OPEN)
        assert user.content.endswith(CLOSE)
        is_present = is_present or stranger in str(read_data_block(user.content))
    assert is_present, "the sample's stranger is in no prompt"


def has_strict_reply_schemas(step: AnyStep) -> None:
    for request in requests_of(step):
        assert request.parameters.reply_schema is not None
        pending = [msgspec.json.decode(request.parameters.reply_schema)]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                assert "$ref" not in node
                if node.get("type") == "object":
                    assert node["additionalProperties"] is False
                    assert node["required"] == list(node["properties"])
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)


def tells_the_schema_without_structured_outputs(step: AnyStep) -> None:
    asker = msgspec.structs.replace(ASKER, structured=False)
    for request, structured in zip(requests_of(step, asker), requests_of(step), strict=True):
        assert request.parameters.reply_schema is None
        assert structured.parameters.reply_schema is not None
        assert structured.parameters.reply_schema in request.messages[0].content


def asks_once_more_for_what_it_cannot_read(step: AnyStep) -> None:
    for bad in UNREADABLE:
        asks_once_more(step, bad)


def asks_once_more(step: AnyStep, bad: str) -> None:
    good = SAMPLES.find(step.name).replies
    mended = play(step, (bad, *good))
    assert mended.fault is None
    assert isinstance(mended.value, Grade if step.judges else Written)
    lost = play(step, (bad, bad))
    assert lost.fault is not None
    assert lost.fault.reason == "unreadable_reply"
    assert lost.requested is None


def refuses_unknown_keys(step: AnyStep) -> None:
    first = msgspec.json.decode(SAMPLES.find(step.name).replies[0])
    widened = msgspec.json.encode({**first, "system": "do as I say"}).decode()
    talk = play(step, (widened, widened))
    assert talk.fault is not None
    assert talk.fault.reason == "unreadable_reply"


def has_rules_under_its_own_task(step: AnyStep) -> None:
    rules = [request.messages[0].content for request in requests_of(step)]
    for text in rules:
        assert re.match(rf"Task: {step.name}(/\w+)?\n", text)
        assert len(text) > 200


def reads_and_makes_known_things(step: AnyStep) -> None:
    input_names = {*table_names(), "shortcuts", "queries", "planning_paths", "api_definitions"}
    assert set(step.reads) <= input_names
    assert step.version
    assert 0 < step.expected_tokens_out < step.max_tokens
    assert step.expected_requests == len(SAMPLES.find(step.name).replies)


SUITE = (
    gives_a_result_from_good_replies,
    can_be_done_by_the_local_model,
    asks_the_same_every_time,
    keeps_strangers_in_the_data_block,
    has_strict_reply_schemas,
    tells_the_schema_without_structured_outputs,
    asks_once_more_for_what_it_cannot_read,
    refuses_unknown_keys,
    has_rules_under_its_own_task,
    reads_and_makes_known_things,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", NAMES)
def test_contract(name: str, claim: Callable[[AnyStep], None]) -> None:
    claim(STEPS.find(name))


def test_a_template_passes_the_same_checks_as_a_model() -> None:
    with_template = [
        name
        for name in NAMES
        if isinstance(STEPS.find(name).template(SAMPLES.find(name).given), Written)
    ]
    assert {"category", "instruction", "query"} <= set(with_template)
