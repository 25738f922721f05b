"""Check that replies in the forms of gateways are read, or else paid for only once."""

import json

import msgspec
import pytest

from prompts.endpoint.batch_lines import read_outcomes, reply_in
from prompts.endpoint.faults import Fault
from prompts.endpoint.wire import read_body
from prompts.errors import BudgetError, EndpointError, ReplyError
from prompts.exchange import Message, Parameters, Reply, Request
from prompts.talks import read_reply

REQUEST = Request("m", (Message("user", "Say something. " * 20),), Parameters(max_tokens=100))


class SampleReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reply with a single field."""

    query: str


JSON = '{"query": "Water the {blue} pots"}'


@pytest.mark.parametrize(
    "content",
    [
        JSON,
        f"```json\n{JSON}\n```",
        f"<think>\nMaybe {{this}} or ```that```?\n</think>\n\n{JSON}",
        f"The pots it is. </think>{JSON}",
        f"<think>x</think>```json\n{JSON}\n```",
        f"Sure! Here it is:\n{JSON}\nAnything else?",
        f"Sure:\n```json\n{JSON}\n```\nThat is all.",
        f'{{"thought": 1}} {JSON}',
        f"{JSON}\n{JSON}",
    ],
)
def test_unambiguous_replies_are_read(content: str) -> None:
    assert read_reply(SampleReply, content).query == "Water the {blue} pots"


@pytest.mark.parametrize(
    "content",
    [
        f'{JSON} {{"query": "another one"}}',
        f'{{"result": {JSON}}}',
        '{"query": 7} and prose',
        f"<think>{JSON}",
        "no object",
        '{"query": "cut',
        "{" * 50_000,
        '{"a":' * 12_000,
    ],
)
def test_ambiguous_replies_are_refused(content: str) -> None:
    with pytest.raises(ReplyError) as fault:
        read_reply(SampleReply, content)
    assert fault.value.reason == "unreadable_reply"


def body(content: object) -> bytes:
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 80, "completion_tokens": 12}
    return json.dumps({"choices": [{"message": message}], "usage": usage, "model": "m"}).encode()


def test_text_parts_are_joined_without_thinking_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": '{"query": '},
        {"type": "text", "text": '"Hello"}'},
    ]
    reply = read_body(body(parts), REQUEST)
    assert isinstance(reply, Reply)
    assert (reply.status, reply.content) == ("answered", '{"query": "Hello"}')
    assert (reply.tokens_in, reply.tokens_out) == (80, 12)


@pytest.mark.parametrize("content", [7, {"text": "x"}, [7], ["x"]])
def test_reply_of_unknown_form_is_unreadable_but_charged(content: object) -> None:
    reply = read_body(body(content), REQUEST)
    assert isinstance(reply, Reply)
    assert reply.status == "unreadable"
    assert (reply.tokens_in, reply.tokens_out) == (80, 12)


@pytest.mark.parametrize("content", [b"{", b"{}", b'{"choices": null}', b"[]"])
def test_damaged_body_raises_a_reply_error(content: bytes) -> None:
    with pytest.raises(ReplyError) as fault:
        read_body(content, REQUEST)
    assert fault.value.reason == "unreadable_body"


def test_body_without_choices_is_unreadable_but_charged() -> None:
    reply = read_body(b'{"choices": [], "usage": {"prompt_tokens": 80}}', REQUEST)
    assert isinstance(reply, Reply)
    assert (reply.status, reply.tokens_in, reply.tokens_out) == ("unreadable", 80, 0)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ({"code": 429, "message": "slow down"}, "rate_limited"),
        ({"type": "rate_limit_error"}, "rate_limited"),
        ({"code": 502, "message": "no provider"}, "server_error"),
        ({"type": "overloaded_error", "message": "Overloaded"}, "server_error"),
        ({"code": 1, "message": ["odd"]}, "not_accepted"),
        ("something odd", "not_accepted"),
    ],
)
def test_error_with_status_200_becomes_the_fault_it_names(error: object, name: str) -> None:
    fault = read_body(json.dumps({"error": error, "choices": []}).encode(), REQUEST)
    assert isinstance(fault, Fault)
    assert (fault.name, fault.maybe_billed, fault.tokens_in) == (name, False, 0)


@pytest.mark.parametrize(
    ("code", "kind"), [(401, EndpointError), ("insufficient_quota", BudgetError)]
)
def test_account_error_ends_the_run(code: object, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        read_body(json.dumps({"error": {"code": code, "message": "no"}}).encode(), REQUEST)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"type": "overloaded_error"}, "not_accepted"),
        ({"code": 401, "message": "no"}, "not_accepted"),
        ({"code": "context_length_exceeded", "message": "long"}, "too_long"),
    ],
)
def test_error_in_a_batch_line_costs_nothing(error: object, status: str) -> None:
    response = {"status_code": 200, "body": {"error": error}}
    line = json.dumps({"custom_id": "a", "response": response}).encode()
    reply = reply_in(read_outcomes(line)["a"], REQUEST, "completed")
    assert (reply.status, reply.tokens_in, reply.tokens_out) == (status, 0, 0)
