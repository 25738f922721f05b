"""Which tools change the same tables in the same way, from the requests that a suite draws."""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from benchloom.worlds.asking.composing import ONE_GOAL, composed
from benchloom.worlds.asking.dice import Dice
from benchloom.worlds.session import Session
from benchloom.worlds.suites import SUITES

Effects: TypeAlias = frozenset[tuple[str, str]]
"""Pairs of a kind of effect and a table."""


@cache
def effects_by_tool(suite: str) -> Mapping[str, Effects]:
    """Return what each tool changes when a request for it is drawn; others are not listed."""
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


def may_serve(effects: Effects, needed: Effects) -> bool:
    """Whether a tool with some effects may do what needs others, alone or with a further tool.

    It may if it changes a table in the same way, or removes rows that are to be changed: together
    with a tool that adds rows, it replaces them.
    """
    replaces = any(("removed", table) in effects for kind, table in needed if kind == "changed")
    return replaces or not effects.isdisjoint(needed)
