"""Each broken rule of the gate is found, and a good plan has none."""

import msgspec
import pytest

from benchloom.plans.gate import check_plan
from benchloom.records import PlanningPath, Step, StepArgument
from tests.benchloom.plans.sample import SHAPES, booking, plan, search


def reasons(path: PlanningPath) -> list[str]:
    return [violation.reason for violation in check_plan(path, SHAPES)]


def with_arguments(step: Step, *arguments: StepArgument) -> Step:
    return msgspec.structs.replace(step, arguments=arguments)


def test_a_good_plan_passes() -> None:
    assert reasons(plan(search(), booking())) == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (plan(msgspec.structs.replace(search(), definition_id="Other.Find")), "unknown_api"),
        (
            plan(
                with_arguments(
                    search(),
                    StepArgument("city", "literal", "Lomm"),
                    StepArgument("colour", "literal", "blue"),
                )
            ),
            "unknown_argument",
        ),
        (
            plan(with_arguments(search(), StepArgument("style", "literal", "Tamil"))),
            "missing_argument",
        ),
        (plan(with_arguments(search(), *search().arguments[:1] * 2)), "repeated_argument"),
        (
            plan(
                with_arguments(
                    search(),
                    StepArgument("city", "literal", "Lomm"),
                    StepArgument("style", "literal", "Martian"),
                )
            ),
            "value_not_allowed",
        ),
        (plan(search(), booking(output="phone")), "undeclared_output"),
        (plan(search(outcome="failed"), booking()), "failed_producer"),
        (plan(search(outcome="retried"), booking()), "failed_producer"),
        (
            plan(msgspec.structs.replace(search(), returns=("name", "city", "phone"))),
            "undeclared_output",
        ),
        (msgspec.structs.replace(plan(search(), booking()), edges=()), "edges_differ"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_violation_is_found(path: PlanningPath, reason: str) -> None:
    assert reasons(path) == [reason]


@pytest.mark.parametrize("producer", [1, 2, 9, -1])
def test_a_reference_to_no_earlier_step(producer: int) -> None:
    steps = (search(), booking(), search(2))
    path = plan(*steps)
    bad = with_arguments(
        booking(), StepArgument("name", "reference", "x", producer, "name", "result")
    )
    path = msgspec.structs.replace(
        path,
        steps=(steps[0], bad, steps[2]),
        edges=(msgspec.structs.replace(path.edges[0], from_step=producer),),
    )
    assert "unreachable_step" in reasons(path)


def test_a_cycle_is_named() -> None:
    first, second = booking(0, 1), booking(1, 0)
    path = msgspec.structs.replace(plan(search(), booking()), steps=(first, second))
    edge = path.edges[0]
    back = msgspec.structs.replace(edge, from_step=1, to_step=0)
    path = msgspec.structs.replace(path, edges=(back, edge))
    assert reasons(path) == ["unreachable_step", "cyclic"]


def test_name_mode_may_refer_to_a_failed_call() -> None:
    assert reasons(plan(search(outcome="failed"), booking(), mode="name")) == []
