"""The inspect_ai task in worlds: the model calls tools, and a task may have several user turns."""

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

from benchloom.core.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.evaluate.protocol import as_json
from benchloom.evaluate.tasks.solver import MAX_TOKENS, OUTPUT, answered
from benchloom.evaluate.world_runs.figures import counts_of, figures_of
from benchloom.evaluate.world_runs.selection import WorldChoice, chosen_tasks
from benchloom.worlds.offers import Offer, refusal_message
from benchloom.worlds.runs.conversation import Conversation
from benchloom.worlds.runs.offered_tools import offer_of_task
from benchloom.worlds.runs.scoring import MAX_TEXT, AgentRun, RunCall, read_run, score_of
from benchloom.worlds.session import Outcome, Session

MAX_CALLS = 1000  # maximum calls of a run; then the run ends and is scored
_SYSTEM = "Use the tools to do what the user asks for, and tell what the user wants to know. {}"


def world_task(choice: WorldChoice) -> InspectTask:
    """Return the inspect_ai task for the settings of a model run in worlds."""
    return InspectTask(
        dataset=_samples(choice),
        solver=act(choice.as_plain()),
        scorer=judged_by_state(choice.as_plain()),
        metrics=[world_figures(choice.epochs)],
        epochs=choice.epochs,
        config=GenerateConfig(temperature=0, max_tokens=MAX_TOKENS),
    )


def _samples(choice: WorldChoice) -> MemoryDataset:
    samples = [
        Sample(
            id=task.task_id,
            input=task.turns[0],
            target=task.answer or "",
            metadata={"suite": task.suite, "split": task.split, "calls": len(task.calls)},
        )
        for task in chosen_tasks(choice).values()
    ]
    return MemoryDataset(samples, name="worlds", location=choice.gold)


@solver
def act(choice: dict[str, Plain]) -> Solver:
    """Return a solver in which the model calls tools until it has answered all user turns."""
    world_choice = msgspec.convert(choice, WorldChoice)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # this solver makes the calls itself
        task = chosen_tasks(world_choice)[str(state.sample_id)]
        offer = offer_of_task(task, world_choice.distractors)
        tools = _tools(offer)
        state.messages = [
            ChatMessageSystem(content=_SYSTEM.format(task.instructions(offer.world.now))),
            ChatMessageUser(content=task.turns[0]),
        ]
        user = Conversation(task, offer.world)
        calls: list[RunCall] = []
        texts: list[str] = []
        with Session(offer.world) as session:
            for _ in range(world_choice.rounds):
                # Tools are a part of the prompt, so that their cost is counted.
                sent = [tool.model_dump_json(exclude_none=True) for tool in tools]
                prompt = as_json([sent, [[m.role, m.text] for m in state.messages]])
                state.output = await answered(state.messages, tools, prompt)
                state.messages.append(state.output.message)
                text = state.output.completion[:MAX_TEXT]
                texts += [text] if text else []
                requested_calls = state.output.message.tool_calls or []
                for call in requested_calls[: MAX_CALLS - len(calls)]:
                    model_call = msgspec.structs.replace(_run_call(call, offer), turn=user.turn)
                    calls.append(model_call)
                    state.messages.append(_answer(call, _outcome(model_call, session)))
                turn = None if requested_calls else user.say(text)
                if len(calls) >= MAX_CALLS or user.is_over:
                    break
                if turn is not None:
                    state.messages.append(ChatMessageUser(content=turn))
        state.store.set(OUTPUT, msgspec.to_builtins(AgentRun(tuple(calls), tuple(texts))))
        state.completed = True
        return state

    return solve


@scorer(metrics=[])
def judged_by_state(choice: dict[str, Plain]) -> Scorer:
    """Return a scorer that replays the model's calls and judges the final state of the world.

    It also judges the answer to the user, and rows that were changed although the task did not ask
    for it.
    """
    world_choice = msgspec.convert(choice, WorldChoice)

    async def score(state: TaskState, target: Target) -> InspectScore:
        del target  # the table of tasks contains more than the target
        task = chosen_tasks(world_choice)[str(state.sample_id)]
        output: Plain = state.store.get(OUTPUT)
        attempt = read_run(output)
        task_score = score_of(task, offer_of_task(task).world, attempt)
        beside = [
            f"{table} {key} was changed outside the plan" for table, key in task_score.collateral
        ]
        lines = [
            f"state {'right' if task_score.digest else 'wrong'}",
            f"answer {'right' if task_score.answer else 'missing'}"
            if task_score.asked
            else "nothing asked",
            f"{task_score.calls} calls, {task_score.refused} refused",
            *_problems(attempt),
            *beside,
        ]
        return InspectScore(
            value=counts_of(task_score),
            answer="\n".join(attempt.messages),
            explanation="\n".join(lines),
            metadata={OUTPUT: output},
        )

    return score


def _problems(attempt: AgentRun) -> list[str]:
    counts = Counter(call.problem for call in attempt.calls if call.problem)
    lines = [f"{count} calls did not run: {problem}" for problem, count in sorted(counts.items())]
    ended = [f"the run ended after {MAX_CALLS} calls"] if len(attempt.calls) >= MAX_CALLS else []
    return [*lines, *ended]


@metric
def world_figures(epochs: int) -> Metric:
    """Return an inspect_ai metric that computes the metrics of tasks with their intervals."""

    def of(scores: list[SampleScore]) -> Value:
        counts = [
            {name: float(count) for name, count in each.score.value.items()} for each in scores
        ]
        figures: dict[str, float] = {}
        for name, figure in figures_of(counts, epochs).items():
            for end, value in (("", figure.value), ("_low", figure.low), ("_high", figure.high)):
                if value is not None:
                    figures[name + end] = value
        return figures

    return of


def _tools(offer: Offer) -> list[ToolInfo]:
    return [
        ToolInfo(
            name=tool.name,
            description=tool.about,
            parameters=ToolParams.model_validate(tool.arguments),
        )
        for tool in offer.tools.values()
    ]


def _run_call(call: ToolCall, offer: Offer) -> RunCall:
    tool = offer.tools.get(call.function)
    if tool is None:
        return RunCall(call.function, {}, "no tool has this name")
    if call.parse_error:
        return RunCall(tool.tool, {}, "the arguments are not readable")
    arguments: dict[str, Plain] = call.arguments
    if depth_of(arguments) > MAX_DEPTH:
        return RunCall(tool.tool, {}, "the arguments are nested too deeply")
    return RunCall(tool.tool, arguments)


def _outcome(model_call: RunCall, session: Session) -> Outcome:
    if model_call.problem:
        return Outcome(refused="invalid_argument", message=model_call.problem)
    return session.call(model_call.tool, model_call.arguments)


def _answer(call: ToolCall, outcome: Outcome) -> ChatMessage:
    reply = outcome.result if outcome.refused is None else refusal_message(outcome)
    return ChatMessageTool(content=as_json(reply), tool_call_id=call.id, function=call.function)
