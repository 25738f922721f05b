"""A small sample plan: a search step, a booking step that refers to it, and their API shapes."""

import msgspec

from benchloom.core.records import Edge, PlanningPath, Step, StepArgument
from benchloom.core.records.planning_path import Mode
from benchloom.normalise.plans.assembly import build_path
from benchloom.normalise.plans.gate import ApiShape

SHAPES = {
    "Bistros.Find": ApiShape(
        required=frozenset({"city"}),
        parameters=frozenset({"city", "style"}),
        outputs=frozenset({"name", "city"}),
        allowed={"style": frozenset({"Basque", "Tamil"})},
    ),
    "Bistros.Book": ApiShape(
        required=frozenset({"name"}),
        parameters=frozenset({"name", "time"}),
        outputs=frozenset({"name", "time"}),
    ),
}


def search(index: int = 0, outcome: str = "ok", app: str = "Bistros") -> Step:
    """Return the step that searches a restaurant, with two literal arguments."""
    step = Step(
        index,
        app,
        "Find",
        (StepArgument("city", "literal", "Lomm"), StepArgument("style", "literal", "Basque")),
        ("name", "city"),
        "ok",
        "Bistros.Find",
    )
    return msgspec.structs.replace(step, outcome=outcome)


def booking(index: int = 1, producer: int = 0, output: str = "name", app: str = "Bistros") -> Step:
    """Return the step that books the restaurant named by an output of step `producer`."""
    return Step(
        index,
        app,
        "Book",
        (StepArgument("name", "reference", "Casa Ibarra", producer, output, "result"),),
        ("name", "time"),
        "ok",
        "Bistros.Book",
    )


def plan(*steps: Step, mode: Mode = "flow", name: str = "1", split: str = "test") -> PlanningPath:
    """Return the plan of these steps, with one edge for every reference."""
    edges = tuple(
        Edge(argument.from_step, argument.output or "", step.index, argument.name, "offered")
        for step in steps
        for argument in step.arguments
        if argument.from_step is not None
    )
    return build_path(
        source="sgd",
        source_id=name,
        source_uri="dialogues.json",
        split=split,
        reference_mode=mode,
        steps=steps,
        edges=edges,
    )
