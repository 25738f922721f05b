"""An endpoint with prepared replies, for runs of benchmarks."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.responses import Response

from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.model_requests import ModelRequests, gold_calls
from benchloom.evaluate.protocol import TOOLS, PredictedCall, Prompt, Reply
from benchloom.exchange.examples.call_messages import render_example
from tests.support.llm.server import Billing, Json, LlmServer

Profile = Callable[[int, Reply], Reply]
"""A model that returns its last reply for the number of a sample and the right reply."""


@dataclass
class ScriptedServer(LlmServer):
    """An endpoint that gives prepared replies and counts how often each prompt was sent."""

    answers: dict[str, Reply] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    stops_after: int | None = None

    def forget(self) -> None:
        """Reset the counts and accept requests again."""
        self.asked.clear()
        self.billing = Billing()
        self.stops_after = None

    def teach(self, asking: ModelRequests, profile: Profile, model: str = "m") -> None:
        """Prepare the replies of a model to every prompt about the samples of a run."""
        for number, sample in enumerate(asking.samples.values()):
            replies: list[Reply] = []
            prompt = asking.ask(sample, replies)
            while prompt is not None:
                correct_reply = right_reply(asking, sample, prompt, replies)
                replies.append(correct_reply)
                next_prompt = asking.ask(sample, replies)
                self.answers[key_of(model, prompt)] = (
                    correct_reply if next_prompt else profile(number, correct_reply)
                )
                prompt = next_prompt

    def _refusal(self, fields: Json) -> Response | None:
        """Refuse requests after `stops_after` replies."""
        if self.stops_after is not None and self.asked.total() >= self.stops_after:
            return Response(b"{}", 404, media_type="application/json")
        return super()._refusal(fields)

    def _reply(self, fields: Json, digest: str, fault: str | None, share: float = 1.0) -> Json:
        reply: Any = super()._reply(fields, digest, fault, share)
        messages: Any = fields["messages"]
        key = _key(
            fields["model"],
            ((message["role"], message.get("content") or "") for message in messages),
        )
        self.asked[key] += 1
        answer = self.answers.get(key) or Reply(f"nobody taught this: {key}")
        message = reply["choices"][0]["message"]
        message["content"] = answer.text
        if answer.calls:
            reply["choices"][0]["finish_reason"] = "tool_calls"
            message["tool_calls"] = [tool_call(at, call) for at, call in enumerate(answer.calls)]
        final_reply: Json = reply
        return final_reply

    def _content(self, fields: Json, fault: str | None) -> str:
        del fields, fault
        return "some twenty letters."


def right_reply(
    asking: ModelRequests, sample: Sample, prompt: Prompt, replies: Sequence[Reply]
) -> Reply:
    """Return the right reply to a prompt about a sample."""
    calls = gold_calls(sample)
    if asking.variant == "hierarchical" and not replies:
        return Reply(", ".join(dict.fromkeys(call.app for call in calls)))
    if asking.variant == TOOLS and sample.aspect != "response":
        tool_example = render_example(
            msgspec.structs.replace(sample.example, definitions=_offered_tools(asking, sample))
        )
        assert {tool.name for tool in tool_example.tools} == {tool.name for tool in prompt.tools}
        calls_of_reply = (
            tool_example.calls
            if sample.position is None
            else tool_example.calls[sample.position :][:1]
        )
        return Reply(
            "",
            tuple(PredictedCall(call.name, call.arguments) for call in calls_of_reply),
        )
    return Reply(asking.benchmark.text_of(sample, calls))


def _offered_tools(asking: ModelRequests, sample: Sample) -> Any:
    return asking.with_distractors(sample).definitions


def key_of(model: object, prompt: Prompt) -> str:
    return _key(model, ((message.role, message.text) for message in prompt.messages))


def _key(model: object, messages: Any) -> str:
    return f"{model} " + re.sub(r"\s+", " ", msgspec.json.encode(list(messages)).decode())


def tool_call(at: int, call: PredictedCall) -> Json:
    """Return a call in the wire format."""
    text = call.problem or msgspec.json.encode(call.arguments).decode()
    return {
        "id": f"made_{at}",
        "type": "function",
        "function": {"name": call.name, "arguments": text},
    }
