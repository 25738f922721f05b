"""Tasks in worlds: the model calls tools, the user speaks the turns of the task, in order."""

from collections import Counter

import msgspec
from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.scorer import Metric, SampleScore, Scorer, Target, Value, metric, scorer
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from benchloom.evaluate.acting.choosing import WorldChoice, chosen_tasks
from benchloom.evaluate.acting.figures import counts_of, figures_of
from benchloom.evaluate.protocol import as_json
from benchloom.evaluate.tasks.solving import MOST_TOKENS, OUTPUT, answered
from benchloom.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.worlds.offers import Offer, told_refusal
from benchloom.worlds.runs.offering import offer_of_task
from benchloom.worlds.runs.scoring import MOST_TEXT, Made, MadeCall, made_of, score_of
from benchloom.worlds.session import Outcome, Session

MOST_CALLS = 1000
"""Calls of one run; it ends with the last of them and is scored as it stands."""
_SYSTEM = (
    "It is {}. Use the tools to do what the user asks for, and tell what the user wants to know."
)


def world_task(choice: WorldChoice) -> InspectTask:
    """The task of a choice."""
    return InspectTask(
        dataset=_samples(choice),
        solver=act(choice.told()),
        scorer=judged_by_state(choice.told()),
        metrics=[world_figures(choice.epochs)],
        epochs=choice.epochs,
        config=GenerateConfig(temperature=0, max_tokens=MOST_TOKENS),
    )


def _samples(choice: WorldChoice) -> MemoryDataset:
    samples = [
        Sample(
            id=one.task_id,
            input=one.turns[0],
            target=one.answer or "",
            metadata={"suite": one.suite, "split": one.split, "calls": len(one.calls)},
        )
        for one in chosen_tasks(choice).values()
    ]
    return MemoryDataset(samples, name="worlds", location=choice.gold)


@solver
def act(choice: dict[str, Plain]) -> Solver:
    """Let the model call tools until it has answered every turn of the user."""
    wanted = msgspec.convert(choice, WorldChoice)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # calls are made in a session of this sample
        task = chosen_tasks(wanted)[str(state.sample_id)]
        offer = offer_of_task(task, wanted.distractors)
        tools = _tools(offer)
        state.messages = [
            ChatMessageSystem(content=_SYSTEM.format(offer.world.now)),
            ChatMessageUser(content=task.turns[0]),
        ]
        turns = list(task.turns[1:])
        calls: list[MadeCall] = []
        told: list[str] = []
        with Session(offer.world) as session:
            for _ in range(wanted.rounds):
                prompt = as_json([tools_told(tools), [[m.role, m.text] for m in state.messages]])
                state.output = await answered(state.messages, tools, prompt)
                state.messages.append(state.output.message)
                said = state.output.completion[:MOST_TEXT]
                told += [said] if said else []
                asked = state.output.message.tool_calls or []
                for call in asked[: MOST_CALLS - len(calls)]:
                    made = _made(call, offer)
                    calls.append(made)
                    state.messages.append(_answer(call, _outcome(made, session)))
                if len(calls) >= MOST_CALLS or not (asked or turns):
                    break
                if not asked:
                    state.messages.append(ChatMessageUser(content=turns.pop(0)))
        state.store.set(OUTPUT, msgspec.to_builtins(Made(tuple(calls), tuple(told))))
        state.completed = True
        return state

    return solve


@scorer(metrics=[])
def judged_by_state(choice: dict[str, Plain]) -> Scorer:
    """The calls are made again: state, answer, what else was touched, refusals."""
    wanted = msgspec.convert(choice, WorldChoice)

    async def score(state: TaskState, target: Target) -> InspectScore:
        del target  # the task itself says more
        task = chosen_tasks(wanted)[str(state.sample_id)]
        output: Plain = state.store.get(OUTPUT)
        made = made_of(output)
        found = score_of(task, offer_of_task(task).world, made)
        beside = [f"{table} {key} was touched beside the plan" for table, key in found.collateral]
        lines = [
            f"state {'right' if found.digest else 'wrong'}",
            f"answer {'right' if found.answer else 'missing'}" if found.asked else "nothing asked",
            f"{found.calls} calls, {found.refused} refused",
            *_unmade(made),
            *beside,
        ]
        return InspectScore(
            value=counts_of(found),
            answer="\n".join(made.told),
            explanation="\n".join(lines),
            metadata={OUTPUT: output},
        )

    return score


def _unmade(made: Made) -> list[str]:
    """Why calls could not be made, and how many; and whether calls ended the run."""
    counts = Counter(one.problem for one in made.calls if one.problem)
    lines = [f"{count} calls were not made: {problem}" for problem, count in sorted(counts.items())]
    ended = [f"ended after {MOST_CALLS} calls"] if len(made.calls) >= MOST_CALLS else []
    return [*lines, *ended]


@metric
def world_figures(epochs: int) -> Metric:
    """The figures with their intervals; one without anything to divide by is left out."""

    def of(scores: list[SampleScore]) -> Value:
        counts = [{name: float(one) for name, one in each.score.value.items()} for each in scores]
        found: dict[str, float] = {}
        for name, one in figures_of(counts, epochs).items():
            for end, value in (("", one.value), ("_low", one.low), ("_high", one.high)):
                if value is not None:
                    found[name + end] = value
        return found

    return of


def _tools(offer: Offer) -> list[ToolInfo]:
    return [
        ToolInfo(
            name=one.name,
            description=one.about,
            parameters=ToolParams.model_validate(one.arguments),
        )
        for one in offer.tools.values()
    ]


def tools_told(tools: list[ToolInfo]) -> list[str]:
    """Tools as they are sent, to count what they cost."""
    return [one.model_dump_json(exclude_none=True) for one in tools]


def _made(call: ToolCall, offer: Offer) -> MadeCall:
    tool = offer.tools.get(call.function)
    if tool is None:
        return MadeCall(call.function, {}, "no such tool is offered")
    if call.parse_error:
        return MadeCall(tool.tool, {}, "arguments that cannot be read")
    arguments: dict[str, Plain] = call.arguments
    if depth_of(arguments) > MAX_DEPTH:
        return MadeCall(tool.tool, {}, "nested too deeply")
    return MadeCall(tool.tool, arguments)


def _outcome(made: MadeCall, session: Session) -> Outcome:
    if made.problem:
        return Outcome(refused="invalid_argument", message=made.problem)
    return session.call(made.tool, made.arguments)


def _answer(call: ToolCall, outcome: Outcome) -> ChatMessage:
    told = outcome.result if outcome.refused is None else told_refusal(outcome)
    return ChatMessageTool(content=as_json(told), tool_call_id=call.id, function=call.function)
