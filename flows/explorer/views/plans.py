"""Prepare a plan for its page, which shows the calls, the origins of values and the data flow."""

from collections.abc import Mapping
from typing import Any

import msgspec

from benchloom.core.plain_words import ABSENT, shortened
from benchloom.core.records import PlanningPath
from flows.explorer.open_release import typed
from flows.explorer.views.drawings import Drawing, Edge, Node, draw
from flows.explorer.views.shortcuts import COLOURS
from flows.explorer.views.values import LONGEST, Piece

WHOLE = "the whole result"
"""The name that pages show for an output without a name."""


class ValueView(msgspec.Struct, frozen=True):
    """An argument of a call, with the origin of its value if that is known."""

    name: str
    pieces: tuple[Piece, ...]
    origin: str


class CallView(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a plan, in the form in which the page of the plan shows it."""

    number: int
    colour: str
    app: str
    api: str
    arguments: tuple[ValueView, ...]
    returns: tuple[str, ...]
    outcome: str


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan, in the form in which its page shows it."""

    row: PlanningPath
    title: str
    facts: tuple[tuple[str, str], ...]
    calls: tuple[CallView, ...]
    drawing: Drawing


def plan_view(row: Mapping[str, Any]) -> PlanView:
    """Prepare a row of `planning_paths` for its page.

    Raises:
        VersionError: the row's columns belong to another version.
    """
    (plan,) = typed([row], PlanningPath, "planning_paths")
    apps = list(dict.fromkeys(step.app for step in plan.steps))  # numbered in order of appearance
    calls = tuple(
        CallView(
            number=step.index + 1,
            colour=f"c{apps.index(step.app) % COLOURS}",
            app=step.app,
            api=step.api,
            arguments=tuple(
                ValueView(
                    argument.name,
                    (_piece(argument.value, argument.from_step, argument.output),),
                    _origin(argument),
                )
                for argument in step.arguments
            ),
            returns=step.returns,
            outcome=step.outcome,
        )
        for step in plan.steps
    )
    nodes = [Node(call.number, call.api, call.colour) for call in calls]
    return PlanView(
        row=plan,
        title=" → ".join(shortened(call.api, 60) for call in calls[:5])
        + (" → …" if len(calls) > 5 else ""),
        facts=(
            ("category", plan.category),
            ("source", plan.source),
            ("split", plan.split or ABSENT),
            ("references by", plan.reference_mode),
            ("parallel parts", str(plan.parallel_scale)),
            ("their sizes", ", ".join(map(str, plan.sequential_scales))),
            *((("oddities", ", ".join(plan.oddities)),) if plan.oddities else ()),
        ),
        calls=calls,
        drawing=draw(
            nodes,
            [
                Edge(
                    edge.from_step,
                    edge.to_step,
                    f"{edge.from_step + 1} {edge.output or WHOLE} → {edge.argument}",
                )
                for edge in plan.edges
            ],
        ),
    )


def _piece(value: str, step: int | None, output: str | None) -> Piece:
    if step is None:
        return Piece(shortened(value, LONGEST))
    output_name = output or WHOLE
    return Piece(
        f"{output_name}: {shortened(value, 300)}" if value else output_name,
        is_output=True,
        step=step + 1,
    )


def _origin(argument: Any) -> str:
    turn = "" if argument.turn is None else f", turn {argument.turn + 1}"
    return f"{argument.provenance}{turn}"
