"""Check tasks that an agent must decline: no offered tool fits, or a policy forbids the request.

The calls that would fulfil the request are checked like the plan of every task. In addition, either
a rule of the policy forbids the calls, or the agent is offered neither the tool that makes the
change nor a tool that could replace it.
"""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.worlds.proofs.declining.policies import check_policy
from benchloom.worlds.proofs.distractors import ranked_tools
from benchloom.worlds.proofs.open_worlds import OpenWorld
from benchloom.worlds.proofs.substitutes import harmless_among
from benchloom.worlds.proofs.trials import Trials
from benchloom.worlds.requests.combinations import ONE_GOAL, composed
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.session import Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Candidate, PlannedCall, Task

Effects: TypeAlias = frozenset[tuple[str, str]]
"""The effects of a tool as pairs of a kind (added, changed or removed) and a table."""


def refused_task(
    candidate: Candidate, task: Task, opened: OpenWorld, seed: int, distractors: int
) -> Task:
    """Return a variant of a task in which the agent must decline the request.

    `task` is a checked task with the same request, whose plan is `candidate.forbidden`. Without a
    policy, the variant does not offer the tool of the call that changes data.

    Raises:
        RejectedInputError: the request need not be declined, or is not suitable. The reason is
            `asks` if the user also wants an answer, and `allowed` if no rule of the policy forbids
            the request. Without a policy, it is `several_goals` if not exactly one call changes
            data, or `no_near_tool` if the variant can offer no other tool that changes data of the
            same app.
    """
    if candidate.asked is not None:
        raise RejectedInputError(
            "asks",
            "the user also asks a question, which could be answered, so that declining the whole "
            "request would be wrong",
        )
    check_policy(candidate.policy, (), candidate.forbidden, candidate.turns, opened.session)
    if not candidate.policy:
        task = _without_fitting(candidate, task, opened, seed, distractors)
    return msgspec.structs.replace(
        task,
        kind=candidate.kind,
        policy=candidate.policy,
        forbidden=tuple(PlannedCall(call.tool, call.arguments, call.said) for call in task.calls),
        calls=(),
        gold_digest=task.start_digest,
        proofs=msgspec.structs.replace(task.proofs, dropped=0, changed=0, orders=1, orders_tried=1),
    )


def _without_fitting(
    candidate: Candidate, task: Task, opened: OpenWorld, seed: int, distractors: int
) -> Task:
    tools = opened.world.tools
    writes = [n for n, call in enumerate(task.calls) if not tools[call.tool].reads]
    if len(writes) != 1:
        raise RejectedInputError(
            "several_goals",
            f"{len(writes)} calls change data; a request whose tool is missing needs exactly 1",
        )
    missing = task.calls[writes[0]].tool
    trials = Trials(opened, candidate.forbidden, None)
    gold = trials.gold()
    gold_effects = {(effect.kind, effect.table) for effect in gold.outcomes[writes[0]].effects}
    effects = effects_by_tool(candidate.suite)
    required = effects.get(missing, frozenset()) | gold_effects
    used = {call.tool for call in task.calls}

    def is_harmless(name: str) -> bool:
        if tools[name].reads:
            return True
        return name in effects and not may_serve(effects[name], required)

    pending = [
        name for name in ranked_tools(opened.world, used, seed, task.task_id) if is_harmless(name)
    ]
    offered, alternatives = harmless_among(trials, gold, pending, writes, distractors)
    app = tools[missing].app
    if not any(tools[name].app == app and not tools[name].reads for name in offered):
        raise RejectedInputError(
            "no_near_tool", f"no tool besides {missing} changes data of the app"
        )
    return msgspec.structs.replace(
        task,
        tools=tuple(sorted({*offered, *used} - {missing})),
        distractors=offered,
        alternatives=alternatives,
        proofs=msgspec.structs.replace(task.proofs, harmless=len(offered)),
    )


@cache
def effects_by_tool(suite: str) -> Mapping[str, Effects]:
    """Return a mapping from tools to the effects of their calls in randomly drawn requests.

    An effect is a kind (added, changed, removed) and a table. A tool for which no request can be
    drawn is missing.
    """
    member = SUITES.find(suite)
    effects: dict[str, set[tuple[str, str]]] = {}
    if member.requests is None:
        return {}
    wants = [want for group in member.requests() for want in group.wants]
    with Session(member.world(member.start)) as session:
        for number, want in enumerate(wants):
            with session.trial():
                composition = composed(session, Dice(0, number), [want], (), shape=ONE_GOAL)
            if composition is None:
                continue
            with session.trial():
                for call in composition[0]:
                    for effect in session.call(call.tool, call.arguments).effects:
                        effects.setdefault(call.tool, set()).add((effect.kind, effect.table))
    return {tool: frozenset(pairs) for tool, pairs in effects.items()}


def may_serve(effects: Effects, required: Effects) -> bool:
    """Whether a tool with `effects` may achieve required effects, alone or with another tool.

    It may if one of its effects is required. It also may if it removes rows of a table in which
    rows must change, because another tool could then add the changed rows.
    """
    replaces = any(("removed", table) in effects for kind, table in required if kind == "changed")
    return replaces or not effects.isdisjoint(required)
