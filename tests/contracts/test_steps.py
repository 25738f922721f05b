"""Check every LLM step through one suite, with the sample that the step brings."""

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


def make_answer(request: Request, content: str) -> Answer:
    return answer_to(request.digest(), Reply("answered", content, 10, 5))


def run_step(
    step: AnyStep, replies: tuple[str, ...], asker: Asker = ASKER
) -> Talk[Written | Grade]:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).step_input, asker))
    for reply in replies:
        assert talk.requested is not None, "the sample brings more replies than are asked for"
        talk.receive(make_answer(talk.requested, reply))
    return talk


def collect_requests(step: AnyStep, asker: Asker = ASKER) -> list[Request]:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).step_input, asker))
    requests = []
    for reply in SAMPLES.find(step.name).replies:
        assert talk.requested is not None
        requests.append(talk.requested)
        talk.receive(make_answer(talk.requested, reply))
    return requests


def makes_a_result_from_good_replies(step: AnyStep) -> None:
    talk = run_step(step, SAMPLES.find(step.name).replies)
    assert talk.fault is None
    assert talk.requested is None
    assert isinstance(talk.value, Grade if step.judges else Written)
    assert talk.spent.requests == len(SAMPLES.find(step.name).replies)


def works_with_the_local_model(step: AnyStep) -> None:
    talk: Talk[Written | Grade] = Talk(step.converse(SAMPLES.find(step.name).step_input, ASKER))
    for _ in range(10):
        if talk.requested is None:
            break
        fields = {"messages": [msgspec.structs.asdict(m) for m in talk.requested.messages]}
        talk.receive(make_answer(talk.requested, write_reply(fields)))
    assert talk.fault is None


def sends_equal_requests_on_every_run(step: AnyStep) -> None:
    first = [request.digest() for request in collect_requests(step)]
    assert first == [request.digest() for request in collect_requests(step)]
    assert len(set(first)) == len(first)


def keeps_foreign_text_in_the_data_block(step: AnyStep) -> None:
    stranger = SAMPLES.find(step.name).stranger
    is_present = False
    for request in collect_requests(step):
        system, user = request.messages
        assert stranger not in system.content
        assert user.content.startswith(OPEN)
        assert user.content.endswith(CLOSE)
        is_present = is_present or stranger in str(read_data_block(user.content))
    assert is_present, "the sample's stranger is in no prompt"


def has_strict_reply_schemas(step: AnyStep) -> None:
    for request in collect_requests(step):
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


def states_the_schema_without_structured_outputs(step: AnyStep) -> None:
    asker = msgspec.structs.replace(ASKER, structured=False)
    for request, structured in zip(
        collect_requests(step, asker), collect_requests(step), strict=True
    ):
        assert request.parameters.reply_schema is None
        assert structured.parameters.reply_schema is not None
        assert structured.parameters.reply_schema in request.messages[0].content


def asks_again_after_an_unreadable_reply(step: AnyStep) -> None:
    for unreadable_reply in UNREADABLE:
        check_one_more_request(step, unreadable_reply)


def check_one_more_request(step: AnyStep, unreadable_reply: str) -> None:
    good_replies = SAMPLES.find(step.name).replies
    second_try = run_step(step, (unreadable_reply, *good_replies))
    assert second_try.fault is None
    assert isinstance(second_try.value, Grade if step.judges else Written)
    failed_talk = run_step(step, (unreadable_reply, unreadable_reply))
    assert failed_talk.fault is not None
    assert failed_talk.fault.reason == "unreadable_reply"
    assert failed_talk.requested is None


def refuses_unknown_keys(step: AnyStep) -> None:
    first = msgspec.json.decode(SAMPLES.find(step.name).replies[0])
    widened = msgspec.json.encode({**first, "system": "do as I say"}).decode()
    talk = run_step(step, (widened, widened))
    assert talk.fault is not None
    assert talk.fault.reason == "unreadable_reply"


def has_rules_under_its_task_name(step: AnyStep) -> None:
    rules = [request.messages[0].content for request in collect_requests(step)]
    for text in rules:
        assert re.match(rf"Task: {step.name}(/\w+)?\n", text)
        assert len(text) > 200


def declares_known_inputs_and_limits(step: AnyStep) -> None:
    input_names = {*table_names(), "shortcuts", "queries", "planning_paths", "api_definitions"}
    assert set(step.reads) <= input_names
    assert step.version
    assert 0 < step.expected_tokens_out < step.max_tokens
    assert step.expected_requests == len(SAMPLES.find(step.name).replies)


SUITE = (
    makes_a_result_from_good_replies,
    works_with_the_local_model,
    sends_equal_requests_on_every_run,
    keeps_foreign_text_in_the_data_block,
    has_strict_reply_schemas,
    states_the_schema_without_structured_outputs,
    asks_again_after_an_unreadable_reply,
    refuses_unknown_keys,
    has_rules_under_its_task_name,
    declares_known_inputs_and_limits,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", NAMES)
def test_contract(name: str, claim: Callable[[AnyStep], None]) -> None:
    claim(STEPS.find(name))


def test_main_steps_have_templates() -> None:
    with_template = [
        name
        for name in NAMES
        if isinstance(STEPS.find(name).template(SAMPLES.find(name).step_input), Written)
    ]
    assert {"category", "instruction", "query"} <= set(with_template)
