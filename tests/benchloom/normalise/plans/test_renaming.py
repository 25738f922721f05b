"""Tests of renamed plans: apps, APIs and arguments get new names, and the graph is unchanged."""

import msgspec

from benchloom.core.records import Edge, StepArgument
from benchloom.normalise.plans.assembly import build_path
from benchloom.normalise.plans.renaming import ApiNames, rename_path
from tests.benchloom.normalise.plans.sample import booking, plan, search

NAMES = {
    "Bistros.Find": ApiNames(
        "Tables", "Look", "Tables.Look", {"city": "where", "style": "kind", "name": "title"}
    ),
    "Bistros.Book": ApiNames(
        "Seats", "Take", "Seats.Take", {"name": "spot", "time": "clock", "party": "amount"}
    ),
}


def test_renamed_plan_has_new_names_and_the_same_graph() -> None:
    failed_booking = msgspec.structs.replace(
        booking(),
        arguments=(
            StepArgument("name", "reference", "Casa Ibarra", 0, "name", "result"),
            StepArgument("party", "literal", "2"),
        ),
        outcome="failed",
    )
    original_plan = msgspec.structs.replace(
        plan(search(), failed_booking, split="dev"), oddities=("one", "two")
    )
    renamed = rename_path(original_plan, NAMES)
    first, second = renamed.steps
    assert (first.index, first.app, first.api, first.definition_id) == (
        0,
        "Tables",
        "Look",
        "Tables.Look",
    )
    # Arguments are sorted by their new names.
    assert first.arguments == (
        StepArgument("kind", "literal", "Basque"),
        StepArgument("where", "literal", "Lomm"),
    )
    assert first.returns == ("title", "where")
    assert (second.index, second.app, second.outcome) == (1, "Seats", "failed")
    assert second.arguments == (
        StepArgument("amount", "literal", "2"),
        StepArgument("spot", "reference", "Casa Ibarra", 0, "title", "result"),
    )
    assert renamed.edges == (Edge(0, "title", 1, "spot", "offered"),)
    field_names = (
        "source",
        "source_id",
        "source_uri",
        "source_split",
        "reference_mode",
        "oddities",
    )
    for name in field_names:
        assert getattr(renamed, name) == getattr(original_plan, name), name
    assert renamed.path_id != original_plan.path_id


def test_renamed_edges_are_sorted_by_their_new_names() -> None:
    names = NAMES | {
        "Bistros.Book": ApiNames(
            "Seats", "Take", "Seats.Take", {"name": "z", "time": "a", "party": "b"}
        )
    }
    steps = (
        search(),
        msgspec.structs.replace(
            booking(),
            arguments=(
                StepArgument("name", "reference", "Casa Ibarra", 0, "name", "result"),
                StepArgument("time", "reference", "Lomm", 0, "city", "result"),
            ),
        ),
    )
    edges = (Edge(0, "name", 1, "name", "offered"), Edge(0, "city", 1, "time", "said"))
    original_plan = build_path(
        source="sgd",
        source_id="1",
        source_uri="dialogues.json",
        split="test",
        reference_mode="flow",
        steps=steps,
        edges=edges,
        oddities=(),
    )
    assert rename_path(original_plan, names).edges == (
        Edge(0, "where", 1, "a", "said"),
        Edge(0, "title", 1, "z", "offered"),
    )


def test_renaming_to_the_same_names_changes_nothing() -> None:
    original_plan = plan(search(), booking())
    identity_names = {
        step.definition_id: ApiNames(
            step.app,
            step.api,
            step.definition_id,
            {name: name for name in ("city", "style", "name", "time")},
        )
        for step in original_plan.steps
    }
    assert rename_path(original_plan, identity_names) == original_plan
