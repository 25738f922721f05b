"""The inspect_ai solver that sends prompts to the model until the protocol returns none."""

from contextvars import ContextVar
from typing import Protocol

import msgspec
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from benchloom.core.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.evaluate.model_requests import Choice, gold_calls, requests_of
from benchloom.evaluate.protocol import Message, PredictedCall, Prompt, Reply, as_json
from benchloom.exchange.examples.tools import Tool

OUTPUT = "output"  # key of the output in the store of a sample
MAX_TOKENS = 1024  # default limit of a reply


class Purse(Protocol):
    """The budget of a run: it approves each request to a model, or raises to end the run."""

    async def reserve(self, prompt: str) -> int:
        """Approve a request that sends the text `prompt`, and return the number of the request.

        Raises StoppedError if the next request could cost more than the remaining budget; RunError
        if too many requests failed in a row.
        """

    def settle(self, number: int, tokens_in: int, tokens_out: int, tokens_cached: int) -> None:
        """Record the tokens of an answered request; 0 tokens means the provider reported none.

        `number` is the number that `reserve` returned. `tokens_cached` is the part of `tokens_in`
        that the endpoint read from its cache.
        """

    def fail(self, number: int) -> None:
        """Record that the request with this number from `reserve` failed."""


PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)
"""The budget of the run, or None if inspect_ai was started directly and applies its own limits."""


def samples_of(choice: Choice) -> MemoryDataset:
    """Return the chosen samples as an inspect_ai dataset; the solver builds their prompts."""
    chosen = requests_of(choice)
    samples = [
        InspectSample(
            id=sample.sample_id,
            input=sample.example.request or sample.sample_id,
            target=chosen.benchmark.text_of(sample, gold_calls(sample)),
            metadata={"level": sample.level, "category": sample.category, "aspect": sample.aspect},
        )
        for sample in chosen.samples.values()
    ]
    return MemoryDataset(samples, name=choice.benchmark, location=choice.gold)


@solver
def ask_model(choice: dict[str, Plain]) -> Solver:
    """Return a solver that sends the protocol's prompts to the model.

    Tools in prompts are never run; their calls are a part of the output.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # only `Model.generate` takes tools as schemas
        chosen = requests_of(msgspec.convert(choice, Choice))
        sample = chosen.samples[str(state.sample_id)]
        replies: list[Reply] = []
        while (prompt := chosen.ask(sample, replies)) is not None:
            state.messages = list(_messages(prompt))
            tools = [_tool(tool) for tool in prompt.tools]
            state.output = await answered(state.messages, tools, as_json(prompt))
            state.messages.append(state.output.message)
            replies.append(_reply(state.output))
        state.store.set(OUTPUT, chosen.output(sample, replies))
        state.completed = True
        return state

    return solve


async def answered(messages: list[ChatMessage], tools: list[ToolInfo], prompt: str) -> ModelOutput:
    """Send messages and tools to the model, and return its answer.

    The cost is charged to the budget of the run, if there is one. `prompt` is the complete text
    that is sent, by which the budget estimates the cost.
    """
    model = get_model()
    purse = PURSE.get()
    if purse is None:
        return await model.generate(messages, tools=tools)
    number = await purse.reserve(prompt)
    output: ModelOutput | None = None
    try:
        output = await model.generate(messages, tools=tools)
    finally:
        if output is None or output.error:
            purse.fail(number)
        else:
            usage = output.usage or ModelUsage()
            cached = usage.input_tokens_cache_read or 0
            tokens_in = usage.input_tokens + cached + (usage.input_tokens_cache_write or 0)
            purse.settle(number, tokens_in, usage.output_tokens, cached)
    return output


def _messages(prompt: Prompt) -> list[ChatMessage]:
    chat_messages: list[ChatMessage] = []
    tool_calls: list[ToolCall] = []
    for number, message in enumerate(prompt.messages):
        if message.role == "tool":
            (call,) = tool_calls
            chat_messages.append(
                ChatMessageTool(content=message.text, tool_call_id=call.id, function=call.function)
            )
            continue
        tool_calls = [
            ToolCall(id=f"call_{number}_{at}", function=call.name, arguments=call.arguments)
            for at, call in enumerate(message.calls)
        ]
        chat_messages.append(_message(message, tool_calls))
    return chat_messages


def _message(message: Message, message_calls: list[ToolCall]) -> ChatMessage:
    if message.role == "system":
        return ChatMessageSystem(content=message.text)
    if message.role == "user":
        return ChatMessageUser(content=message.text)
    return ChatMessageAssistant(content=message.text, tool_calls=message_calls or None)


def _tool(tool: Tool) -> ToolInfo:
    return ToolInfo(
        name=tool.name,
        description=tool.description or tool.name,
        parameters=ToolParams.model_validate(tool.parameters),
    )


def _reply(output: ModelOutput) -> Reply:
    model_calls = output.message.tool_calls or []
    return Reply(output.completion, tuple(_predicted_call(tool_call) for tool_call in model_calls))


def _predicted_call(call: ToolCall) -> PredictedCall:
    if call.parse_error:
        return PredictedCall(call.function, {}, call.parse_error)
    arguments: dict[str, Plain] = call.arguments
    if depth_of(arguments) > MAX_DEPTH:
        return PredictedCall(call.function, {}, "the arguments are nested too deeply")
    return PredictedCall(call.function, arguments)
