"""Tests of plan assembly: category, id, concatenation and references by name."""

import msgspec
import pytest

from benchloom.core.records import StepArgument
from benchloom.normalise.plans.assembly import category_of, plan_digest
from benchloom.normalise.plans.leakage import leakage
from benchloom.normalise.plans.selection import concatenate
from parsers.dialogues.provenance.name_mode import NamedCall, link_by_name
from tests.benchloom.normalise.plans.sample import booking, plan, search


@pytest.mark.parametrize(
    ("apps", "category"),
    [("A", "SS"), ("AA", "SM"), ("AB", "MS"), ("ABC", "MS"), ("ABA", "MM"), ("AAB", "MM")],
)
def test_category_depends_on_the_apps_of_the_steps(apps: str, category: str) -> None:
    assert category_of(list(apps)) == category


def test_equal_plans_of_different_sources_share_an_id() -> None:
    assert plan(search(), name="1").path_id == plan(search(), name="2", split="train").path_id
    shorter_step = msgspec.structs.replace(search(), arguments=search().arguments[:1])
    assert plan_digest([search()]) != plan_digest([shorter_step])
    assert plan_digest([search(), booking()]) != plan_digest([search(), booking(output="city")])
    other_turn_step = msgspec.structs.replace(
        booking(), arguments=(msgspec.structs.replace(booking().arguments[0], turn=9),)
    )
    assert plan_digest([search(), booking()]) == plan_digest([search(), other_turn_step])


def test_concatenation_keeps_references_and_adds_none() -> None:
    joined = concatenate([plan(search(), booking(), name="a"), plan(search(), booking(), name="b")])
    assert joined.source_id == "a+b"
    assert [step.index for step in joined.steps] == [0, 1, 2, 3]
    assert [(e.from_step, e.to_step) for e in joined.edges] == [(0, 1), (2, 3)]
    assert joined.steps[3].arguments[0].from_step == 2
    assert joined.sequential_scales == (2, 2)
    assert joined.oddities == ("concatenated",)


def test_link_by_name_uses_the_latest_producer_and_ignores_values() -> None:
    calls = [
        NamedCall("A", "find", [("city", "Lomm")], ("name", "city"), "ok", "A.find"),
        NamedCall("B", "find", [("city", "Brisk")], ("name",), "failed", "B.find"),
        NamedCall("C", "book", [("city", "x"), ("name", "y"), ("time", "z")], (), "ok", "C.book"),
    ]
    steps, edges = link_by_name(calls)
    assert [(e.from_step, e.output, e.to_step) for e in edges] == [
        (0, "city", 1),
        (0, "city", 2),
        (1, "name", 2),
    ]
    assert steps[2].arguments == (
        StepArgument("city", "reference", "x", 0, "city"),
        StepArgument("name", "reference", "y", 1, "name"),
        StepArgument("time", "literal", "z"),
    )


def test_leakage_counts_equal_plans_structures_and_unseen_apps() -> None:
    other_city = msgspec.structs.replace(
        search(), arguments=(msgspec.structs.replace(search().arguments[0], value="Brisk"),)
    )
    same_shape = msgspec.structs.replace(search(), arguments=search().arguments[:1])
    test = [plan(search()), plan(same_shape), plan(search(app="Inns"))]
    plan_leakage = leakage("test", test, "train", [plan(search()), plan(other_city)])
    assert (
        plan_leakage.plans,
        plan_leakage.equal_plans,
        plan_leakage.equal_structures,
        plan_leakage.known_apis,
    ) == (
        3,
        1,
        2,
        2,
    )
    assert plan_leakage.unseen_apps == ("Inns",)
