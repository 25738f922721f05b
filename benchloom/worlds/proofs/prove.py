"""Check a candidate by replaying its plan, and turn it into a task."""

from collections.abc import Sequence

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.identity import digest_of_parts, tagged_digest
from benchloom.core.records.worlds import TaskProofs
from benchloom.worlds.proofs.changes import other_values
from benchloom.worlds.proofs.declining.declined_task import refused_task
from benchloom.worlds.proofs.declining.policies import check_policy
from benchloom.worlds.proofs.distractors import ranked_tools
from benchloom.worlds.proofs.leaves import leaves
from benchloom.worlds.proofs.open_worlds import OpenWorld, OpenWorlds
from benchloom.worlds.proofs.orders import count_orders
from benchloom.worlds.proofs.origins import CallOrigins, origins_of
from benchloom.worlds.proofs.parameters import parameters_of
from benchloom.worlds.proofs.stated_values import Turns
from benchloom.worlds.proofs.substitutes import harmless_among
from benchloom.worlds.proofs.trials import NO_ANSWER, Gold, Trials
from benchloom.worlds.session import Outcome, digest_of
from benchloom.worlds.task import Candidate, GoldCall, PlannedCall, Task

MAX_CALLS = 64
"""The maximum number of calls in a plan; the number of replays grows with its square."""
MAX_TEXT = 100_000
"""The maximum length of all turns together, in characters."""
DISTRACTORS = 20
SEED = 0  # seed of the draws between equally similar distractors


def prove(candidate: Candidate, open_worlds: OpenWorlds, *, distractors: int = DISTRACTORS) -> Task:
    """Check a candidate by replaying its plan, and return it as a task with the results.

    The plan runs twice in this process, and both runs must give the same result; `confirm` can
    check the task in another process. The task offers at most `distractors` unneeded tools.

    Raises:
        RejectedInputError: the candidate cannot become a task. The reason is no_calls, too_long,
            not_json, unknown_tool, unknown_start, refused, not_repeatable, underivable, no_answer
            or no_need. If `candidate.exact` is true, it can also be redundant_call or
            idle_argument. If there is a policy, it can also be forbidden. For a request that has to
            be declined, it can also be asks, allowed, several_goals or no_near_tool.
    """
    if candidate.forbidden:
        return _prove_declined(candidate, open_worlds, distractors)
    _check_sizes(candidate)
    candidate, opened = _opened(candidate, open_worlds)
    trials = Trials(opened, candidate.calls, candidate.asked)
    gold = _run_twice(trials)
    _check_refusals(candidate.calls, gold.outcomes)
    check_policy(candidate.policy, candidate.calls, (), candidate.turns, opened.session)
    turns = Turns(candidate.turns, opened.world.now)
    origins = _derive_values(candidate, opened, gold, turns)
    _check_need(candidate, gold, turns)
    trials.needed = [origin.needed for origin in origins]
    calls = _mark_calls(trials, gold, origins, exact=candidate.exact)
    new_task_id = task_id(candidate)
    needed_calls = {
        number: call
        for number, call in enumerate(calls)
        if not call.redundant and call.refused is None
    }
    pending = ranked_tools(opened.world, {call.tool for call in calls}, SEED, new_task_id)
    offered, alternatives = harmless_among(trials, gold, pending, needed_calls, distractors)
    equal, count = count_orders(trials, gold, _ties(calls))
    return Task(
        task_id=new_task_id,
        start_digest=digest_of(opened.start),
        tools=tuple(sorted({*offered, *(call.tool for call in calls)})),
        distractors=offered,
        alternatives=alternatives,
        calls=calls,
        gold_digest=gold.digest,
        results_digest=results_digest(gold.outcomes),
        answer=None if candidate.asked is None else gold.end.answer,
        proofs=TaskProofs(
            repeated=True,
            needed=True,
            dropped=len(needed_calls),
            changed=sum(len(call.arguments) - len(call.idle) for call in needed_calls.values()),
            derived=True,
            orders=equal,
            orders_tried=count,
            harmless=len(offered),
        ),
        **candidate.request_fields(),
    )


def _prove_declined(candidate: Candidate, open_worlds: OpenWorlds, distractors: int) -> Task:
    expected = msgspec.structs.replace(
        candidate, calls=candidate.forbidden, forbidden=(), policy=(), exact=True
    )
    task = prove(expected, open_worlds, distractors=distractors)
    opened = open_worlds.of(candidate.suite, candidate.start)
    refused = refused_task(candidate, task, opened, SEED, distractors)
    new_task_id = task_id(_normal(candidate))
    return msgspec.structs.replace(refused, task_id=new_task_id, results_digest=results_digest(()))


def prove_again(task: Task, open_worlds: OpenWorlds) -> Task:
    """Check an existing task again by turning its request and plan into a task.

    The new task has the same number of distractors.

    Raises:
        RejectedInputError: the request and plan no longer give a task. The reasons are those of
            `prove`.
    """
    candidate, count = task.candidate(), len(task.distractors)
    new_task = prove(candidate, open_worlds, distractors=count)
    if new_task.alternatives == task.alternatives:
        return new_task
    # If a request for more distractors gives no more, the task was made by such a request.
    larger = prove(candidate, open_worlds, distractors=count + 1)
    return larger if len(larger.distractors) == count else new_task


def confirm(task: Task, open_worlds: OpenWorlds) -> str | None:
    """Run a task's plan again; describe the digests that differ, or return None if none does.

    The digests are those of the initial state, the final state and the results.

    Raises:
        RunError: there is no such world.
    """
    candidate = task.candidate()
    trials = Trials(open_worlds.of(task.suite, task.start), candidate.calls, task.asked)
    gold = trials.gold()
    run_digests = (digest_of(trials.opened.start), gold.digest, results_digest(gold.outcomes))
    if run_digests == (task.start_digest, task.gold_digest, task.results_digest):
        return None
    names = ("start_digest", "gold_digest", "results_digest")
    task_digests = (task.start_digest, task.gold_digest, task.results_digest)
    parts = zip(names, task_digests, run_digests, strict=True)
    return "; ".join(f"{n} is {a} in the task, but {b} in a new run" for n, a, b in parts if a != b)


def task_id(candidate: Candidate) -> str:
    """Return the id of a task, which is a digest of the world, the request and the plan.

    The offered tools do not affect the id.
    """
    encode = msgspec.json.Encoder(order="deterministic").encode
    calls = [(call.tool, call.arguments) for call in candidate.calls]
    parts = [candidate.suite, candidate.start, encode(candidate.turns).decode()]
    parts += [encode(calls).decode(), encode(candidate.asked).decode()]
    if candidate.policy or candidate.forbidden:
        forbidden = [(call.tool, call.arguments) for call in candidate.forbidden]
        parts += [encode(candidate.policy).decode(), encode(forbidden).decode()]
    return digest_of_parts("task", parts)


def results_digest(outcomes: Sequence[Outcome]) -> str:
    """Return the digest of all results, refusals and effects of the calls."""
    return tagged_digest("results", msgspec.json.encode(outcomes, order="deterministic"))


def _normal(candidate: Candidate) -> Candidate:
    """Return the candidate with sorted names of arguments.

    Tables store the names in sorted order, and random draws depend on the order. Without sorting, a
    task that was read from a table would get other draws than the candidate.
    """
    encode = msgspec.json.Encoder(order="deterministic").encode
    calls, forbidden = (
        tuple(
            msgspec.structs.replace(call, arguments=msgspec.json.decode(encode(call.arguments)))
            for call in plan
        )
        for plan in (candidate.calls, candidate.forbidden)
    )
    return msgspec.structs.replace(candidate, calls=calls, forbidden=forbidden)


def _opened(candidate: Candidate, open_worlds: OpenWorlds) -> tuple[Candidate, OpenWorld]:
    """Return the candidate with sorted names of arguments, and its open world.

    Raises:
        RejectedInputError: the arguments are not JSON, there is no such world, or the world lacks
            a tool of the plan.
    """
    try:
        candidate = _normal(candidate)
    except (RecursionError, TypeError, ValueError) as error:
        raise RejectedInputError("not_json", f"the arguments are not JSON: {error}") from error
    try:
        opened = open_worlds.of(candidate.suite, candidate.start)
    except RunError as error:
        raise RejectedInputError("unknown_start", str(error)) from error
    unknown = [call.tool for call in candidate.calls if call.tool not in opened.world.tools]
    if unknown:
        raise RejectedInputError("unknown_tool", f"unknown tool {unknown[0][:200]!r}")
    return candidate, opened


def _check_sizes(candidate: Candidate) -> None:
    if not candidate.calls:
        raise RejectedInputError("no_calls", "the plan has no calls")
    if len(candidate.calls) > MAX_CALLS:
        raise RejectedInputError(
            "too_long", f"{len(candidate.calls)} calls; the maximum is {MAX_CALLS}"
        )
    if sum(map(len, candidate.turns)) > MAX_TEXT:
        raise RejectedInputError("too_long", f"the turns have more than {MAX_TEXT} characters")


def _run_twice(trials: Trials) -> Gold:
    gold, second = trials.gold(), trials.gold()
    if gold != second:
        pairs = enumerate(zip(gold.outcomes, second.outcomes, strict=True))
        differing = [number for number, (outcome, other) in pairs if outcome != other]
        difference = (
            f"call {differing[0]}, {trials.calls[differing[0]].tool}" if differing else "state"
        )
        raise RejectedInputError("not_repeatable", f"two runs differ: {difference}")
    return gold


def _check_refusals(calls: Sequence[PlannedCall], outcomes: Sequence[Outcome]) -> None:
    for number, (call, outcome) in enumerate(zip(calls, outcomes, strict=True)):
        later = zip(calls[number + 1 :], outcomes[number + 1 :], strict=True)
        if outcome.refused is not None and not any(
            retry.tool == call.tool and retry.arguments != call.arguments and end.refused is None
            for retry, end in later
        ):
            message = f"call {number}, {call.tool}: {outcome.refused}: {outcome.message[:300]}"
            raise RejectedInputError("refused", message)


def _derive_values(
    candidate: Candidate, opened: OpenWorld, gold: Gold, turns: Turns
) -> list[CallOrigins]:
    tools = [opened.world.tools[call.tool] for call in candidate.calls]
    origins = origins_of(candidate.calls, tools, gold.outcomes, turns)
    for number, call in enumerate(candidate.calls):
        for name, words in call.said.items():
            if turns.holds(words) is None:
                message = f"call {number}, {call.tool}: no turn has the words of {name[:100]}"
                raise RejectedInputError("underivable", message)
    for number, (call, origin) in enumerate(zip(candidate.calls, origins, strict=True)):
        if origin.unknown:
            names = ", ".join(origin.unknown[:5])
            message = (
                f"call {number}, {call.tool}: neither the user nor an earlier result states {names}"
            )
            raise RejectedInputError("underivable", message)
    return origins


def _check_need(candidate: Candidate, gold: Gold, turns: Turns) -> None:
    answer = gold.end.answer
    if candidate.asked is not None and answer in {NO_ANSWER, "null", "[]", "{}", '""'}:
        raise RejectedInputError("no_answer", "no result contains the requested value")
    if gold.end.tables:
        return
    if candidate.asked is None:
        raise RejectedInputError(
            "no_need", "the calls change nothing, and the request asks for no value"
        )
    answer_leaves = [leaf for _, leaf in leaves(msgspec.json.decode(answer))]
    if all(isinstance(leaf, bool) or turns.says(leaf, "") is not None for leaf in answer_leaves):
        raise RejectedInputError(
            "no_need", "the calls change nothing, and the request already contains the answer"
        )


def _mark_calls(
    trials: Trials, gold: Gold, call_origins: Sequence[CallOrigins], *, exact: bool
) -> tuple[GoldCall, ...]:
    """Replay the plan without each call and with other arguments, and mark what has no effect.

    Raises:
        RejectedInputError: the candidate is `exact`, but a call or an argument has no effect.
    """
    redundant = [_is_redundant(trials, gold, number) for number in range(len(trials.calls))]
    gold_calls = []
    # All redundant calls are rejected before any argument is varied, which takes more replays.
    for number, (call, outcome) in enumerate(zip(trials.calls, gold.outcomes, strict=True)):
        if exact and redundant[number] and outcome.refused is None:
            message = f"call {number}, {call.tool}: the final state is the same without it"
            raise RejectedInputError("redundant_call", message)
    for number, (call, outcome) in enumerate(zip(trials.calls, gold.outcomes, strict=True)):
        is_needed = not redundant[number] and outcome.refused is None
        idle = tuple(_idle(trials, gold, number)) if is_needed else ()
        if exact and idle:
            names = ", ".join(idle)
            message = (
                f"call {number}, {call.tool}: the final state is the same with another {names}"
            )
            raise RejectedInputError("idle_argument", message)
        gold_calls.append(
            GoldCall(
                tool=call.tool,
                arguments=call.arguments,
                redundant=redundant[number],
                said=call.said,
                refused=outcome.refused,
                idle=idle,
                origins=call_origins[number].origins,
                turn=call.turn,
            )
        )
    return tuple(gold_calls)


def _is_redundant(trials: Trials, gold: Gold, number: int) -> bool:
    with trials.trial():
        trials.make_all(n for n in range(len(trials.calls)) if n != number)
        return trials.ends_alike(gold)


def _idle(trials: Trials, gold: Gold, number: int) -> list[str]:
    call = trials.calls[number]
    parameters = parameters_of(trials.opened.world.tools[call.tool])
    idle = []
    with trials.trial():
        trials.make_all(range(number))
        for name, value in call.arguments.items():
            for replacement in other_values(name, value, parameters[name], gold.outcomes):
                with trials.trial():
                    trials.call(number, call.tool, {**call.arguments, name: replacement})
                    trials.make_all(range(number + 1, len(trials.calls)))
                    is_idle = trials.ends_alike(gold)
                if is_idle:
                    idle.append(name)
                    break
    return idle


def _ties(calls: Sequence[GoldCall]) -> list[frozenset[int]]:
    """Return, for each call, the indices of earlier refused calls of the same tool."""
    return [
        frozenset(
            n
            for n, earlier_call in enumerate(calls[:number])
            if earlier_call.refused and earlier_call.tool == call.tool
        )
        for number, call in enumerate(calls)
    ]
