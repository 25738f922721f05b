"""Tests of plan selection: sets are reproducible, without duplicates and within their rules."""

import random

from benchloom.core.records import PlanningPath, Step, StepArgument
from benchloom.normalise.plans.selection import (
    Concatenation,
    SelectionRules,
    SetRules,
    choose,
    objection,
)
from tests.benchloom.normalise.plans.sample import booking, plan, search


def one_step_plan(name: str, app: str, city: str, split: str = "test") -> PlanningPath:
    """Return a plan that searches a city with an app."""
    arguments = (StepArgument("city", "literal", city),)
    step = Step(0, app, "Find", arguments, ("name",), "ok", f"{app}.Find")
    return plan(step, name=name, split=split)


PLANS = [one_step_plan(f"{n}", f"App{n % 3}", f"City {n}") for n in range(30)]


def rules(**changes: object) -> SelectionRules:
    """Return rules for one set of five test plans, with changes."""
    defaults: dict[str, object] = {"sets": (SetRules("test", "test", 5),)}
    return SelectionRules(**{**defaults, **changes})  # type: ignore[arg-type]  # options by name


def source_ids(paths: list[PlanningPath]) -> set[str]:
    return {path.source_id for path in paths}


def test_selection_depends_on_the_seed_and_not_on_the_order() -> None:
    shuffled = list(PLANS)
    random.Random(1).shuffle(shuffled)
    (selection,) = choose(PLANS, rules(seed=3))
    (other,) = choose(shuffled, rules(seed=3))
    assert selection == other
    assert len(selection.paths) == 5
    assert selection.left_out == {"not_drawn": 25}
    assert source_ids(selection.paths) != source_ids(choose(PLANS, rules(seed=4))[0].paths)


def test_equal_plan_is_drawn_once() -> None:
    repeated_plans = [
        *PLANS[:3],
        *(one_step_plan(f"again {n}", f"App{n}", f"City {n}") for n in range(3)),
    ]
    (chosen,) = choose(repeated_plans, rules())
    assert source_ids(chosen.paths) == {"0", "1", "2"}
    assert chosen.left_out == {"repeated_plan": 3}


def test_sets_are_disjoint_unless_the_rules_allow_overlap() -> None:
    plans = [
        *PLANS[:4],
        *(one_step_plan(f"t{n}", f"App{n % 3}", f"City {n}", "train") for n in range(6)),
    ]
    sets = (SetRules("test", "test", 10), SetRules("train", "train", 10))
    _, train = choose(plans, rules(sets=sets))
    assert source_ids(train.paths) == {"t4", "t5"}
    assert train.left_out == {"in_earlier_set": 4}
    _, train = choose(plans, rules(sets=sets, disjoint=False))
    assert len(train.paths) == 6


def test_objection_names_the_broken_eligibility_rule() -> None:
    path = plan(search(), booking())
    assert objection(path, rules()) is None
    assert objection(path, rules(minimum_arguments=2)) == "too_few_arguments"
    assert objection(path, rules(apps=("Inns",))) == "other_app"
    assert objection(path, rules(), {"Bistros.Book"}) == "excluded_service"
    failed = plan(search(outcome="failed"))
    assert objection(failed, rules(outcomes=("ok",))) == "outcome"


def test_concatenation_fills_ms_with_distinct_apps() -> None:
    (chosen,) = choose(PLANS, rules(concatenation=Concatenation(2, 3)))
    concatenated_paths = [path for path in chosen.paths if path.category == "MS"]
    assert len(concatenated_paths) == 5
    used = [part for path in concatenated_paths for part in path.source_id.split("+")]
    assert len(used) == len(set(used))
    for path in concatenated_paths:
        assert 2 <= len(path.steps) <= 3
        assert len({step.app for step in path.steps}) == len(path.steps)
        assert path.edges == ()


def test_concatenation_needs_plans_of_different_apps() -> None:
    one_app = [one_step_plan(f"{n}", "App", f"City {n}") for n in range(4)]
    (chosen,) = choose(one_app, rules(concatenation=Concatenation()))
    assert [path.category for path in chosen.paths] == ["SS"] * 4
