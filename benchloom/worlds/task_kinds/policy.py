"""The kind of tasks with a policy, which is a list of rules that the agent must obey.

Tasks come in pairs of similar requests; a rule forbids the first and allows the second. If the
rule requires confirmation, the user agrees or refuses in a second turn.
"""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.proofs.declining.policies import broken_rules
from benchloom.worlds.requests.combinations import ONE_GOAL, candidates
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.wants import Policy
from benchloom.worlds.session import Session
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate, Rule
from benchloom.worlds.task_kinds.base import TaskKind

_FURTHER = 2
"""The number of rules in a policy that are about tools which the request does not need."""
_YES = ("Yes, {}.", "Yes please, {}.", "{}, go ahead.")
_NO = ("No, leave it.", "No, better not.", "On second thoughts, no.", "No, I have changed my mind.")


def _pairs(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    del files
    groups = () if suite.requests is None else suite.requests()
    policies = [policy for group in groups for policy in group.policies]
    tools = {policy.tool for policy in policies}
    ruled = [
        msgspec.structs.replace(
            group,
            wants=tuple(want for want in group.wants if want.tool in tools and not want.first),
            questions=(),
        )
        for group in groups
    ]
    world = suite.world(suite.start)
    with Session(world) as session:
        requests = candidates(world, name, suite.start, ruled, seed, shape=ONE_GOAL)
        for number, request in enumerate(requests):
            yield from _pair(request, policies, Dice(seed, number, "policy"), session)


def _pair(
    request: Candidate, policies: Sequence[Policy], dice: Dice, session: Session
) -> Iterator[Candidate]:
    """Yield a request that a rule forbids, and a similar request that it allows."""
    tools = {call.tool for call in request.calls}
    policy = dice.one_of([policy for policy in policies if policy.tool in tools])
    others = [other for other in policies if other.tool not in tools]
    extra = [other.rule(dice.below(len(other.limits))) for other in _some(others, dice)]
    sides: dict[bool, Candidate] = {}
    for rule, turns in _variants(policy, request.turns, dice):
        forbidden = bool(broken_rules([rule], request.calls, turns, session))
        position = dice.below(len(extra) + 1)
        sides.setdefault(
            forbidden,
            msgspec.structs.replace(
                request,
                kind="policy",
                turns=turns,
                policy=(*extra[:position], rule, *extra[position:]),
                calls=() if forbidden else request.calls,
                forbidden=request.calls if forbidden else (),
                source_id=f"{request.source_id}/{'forbidden' if forbidden else 'allowed'}",
            ),
        )
    if len(sides) == 2:
        yield from (sides[True], sides[False])


def _variants(
    policy: Policy, turns: tuple[str, ...], dice: Dice
) -> Iterator[tuple[Rule, tuple[str, ...]]]:
    if policy.test == "said":
        rule = policy.rule(0)
        yes = dice.one_of(_YES).format(rule.value)
        yield rule, (*turns, yes[0].upper() + yes[1:])
        yield rule, (*turns, dice.one_of(_NO))
        return
    # All limits in a drawn order: `_pair` takes the first that forbids and the first that allows.
    indices = list(range(len(policy.limits)))
    while indices:
        yield policy.rule(indices.pop(dice.below(len(indices)))), turns


def _some(policies: Sequence[Policy], dice: Dice) -> Iterator[Policy]:
    tools: set[str] = set()
    while len(tools) < _FURTHER:
        policy = dice.one_of(policies)
        if policy.tool not in tools:
            tools.add(policy.tool)
            yield policy


KIND = TaskKind(
    about="The agent gets rules; every second request breaks one of them.", candidates=_pairs
)
