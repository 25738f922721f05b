"""The prompt variant `tools`, in which models get tool definitions and answer with tool calls.

If a protocol requests all calls of a sample, the model makes them in one turn. It then refers to
the result of an earlier call by a text such as `$call_0.city$`. If a protocol requests one call,
the conversation contains the earlier calls with their results.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Benchmark, Sample
from benchloom.evaluate.protocol import (
    RESPONSE,
    Called,
    Message,
    PredictedCall,
    Prompt,
    Reply,
    history,
)
from benchloom.exchange.examples import Call, Example
from benchloom.exchange.examples.call_messages import read_references, render_example
from benchloom.exchange.examples.example import output_names
from benchloom.exchange.examples.plans import arguments_of
from benchloom.exchange.examples.tools import app_and_api, names_of

_REFERENCE = """write $call_N.OUTPUT$ in its place: N counts {what} from 0,
OUTPUT is one of the outputs that the tool's description names; $call_N$ alone stands for the whole
result."""
_ALL = f"""Fulfil the request with the tools. Make every call that is needed, all in this one turn
and in the order in which they have to run; nothing is answered in between. Where an argument is
what an earlier call gives back, {_REFERENCE.format(what="your calls")}
Use no value that neither the request nor a call tells."""
_NEXT = f"""Fulfil the request with the tools. What was done so far stands in the conversation. Make
the one call that comes next. Where an argument is what an earlier call gives back and the value is
not shown, {_REFERENCE.format(what="the calls of the conversation")}
What only the user or the device can tell is written $input.KIND$, such as $input.Ask$. Where
nothing is to be called now, answer the user."""


def ask_with_tools(sample: Sample, replies: Sequence[Reply], example: Example) -> Prompt | None:
    """Return the prompt for a sample, or None after the model has replied to it.

    The prompt offers the tools of `example`.
    """
    if replies:
        return None
    tool_example = render_example(example)
    if sample.position is None:
        return Prompt(
            (Message("system", _ALL), Message("user", example.request or "")), tool_example.tools
        )
    messages = [Message("system", _NEXT)]
    for entry in history(sample):
        if isinstance(entry, Called):
            call = tool_example.calls[entry.number]
            model_call = PredictedCall(call.name, call.arguments)
            messages.append(Message("assistant", "", (model_call,)))
            messages.append(Message("tool", entry.result))
        else:
            messages.append(Message(entry.role, entry.text))
    return Prompt(tuple(messages), tool_example.tools)


def output_of_tools(
    sample: Sample, replies: Sequence[Reply], example: Example, benchmark: Benchmark
) -> Plain:
    """Return the model's calls in the structure of gold, or its text if there are no calls.

    A call whose arguments cannot be read makes the whole output unreadable.
    """
    if sample.aspect == RESPONSE:
        return replies[0].text if replies else ""
    if not replies or any(call.problem for call in replies[0].calls):
        return ""
    model_calls = replies[0].calls
    if not model_calls:
        return replies[0].text
    apis = _apis_by_name(example)
    count = (sample.position or 0) + len(model_calls)
    return benchmark.output_of(sample, [_call(call, apis, count) for call in model_calls])


def _call(model_call: PredictedCall, apis: Mapping[str, Call], count: int) -> Call:
    arguments = arguments_of(
        {name: read_references(value, count) for name, value in model_call.arguments.items()}
    )
    api = apis.get(model_call.name) or Call(*app_and_api(model_call.name), ())
    return replace(api, arguments=arguments)


def _apis_by_name(example: Example) -> Mapping[str, Call]:
    apis = {
        tool.definition_id: Call(
            tool.app or "", tool.api, (), tool.definition_id, output_names(tool)
        )
        for tool in example.definitions
    }
    for call in example.calls:
        if call.definition_id not in apis:
            apis[f"unknown {call.app} {call.api}"] = Call(call.app, call.api, ())
    names = names_of((entry.app or None, entry.api, api_id) for api_id, entry in apis.items())
    return dict(zip(names, apis.values(), strict=True))
