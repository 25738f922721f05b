"""Tests of the plan gate: every broken rule is reported, and a valid plan has no violation."""

import msgspec
import pytest

from benchloom.core.records import PlanningPath, Step, StepArgument
from benchloom.core.records.api_definition import EnumValue, Parameter, Return
from benchloom.normalise.plans.gate import check_plan, shape_of
from tests.benchloom.normalise.plans.sample import SHAPES, booking, plan, search
from tests.support.samples.api_definitions import api_definition


def violation_reasons(path: PlanningPath) -> list[str]:
    """Return the reason of every violation that the gate reports for a plan."""
    return [violation.reason for violation in check_plan(path, SHAPES)]


def with_arguments(step: Step, *arguments: StepArgument) -> Step:
    """Return a step with other arguments."""
    return msgspec.structs.replace(step, arguments=arguments)


def test_valid_plan_has_no_violation() -> None:
    assert violation_reasons(plan(search(), booking())) == []


def test_composed_argument_is_not_checked_against_allowed_values() -> None:
    composed = with_arguments(
        search(),
        StepArgument("city", "literal", "Lomm"),
        StepArgument("style", "composed", '"nearly Tamil"'),
    )
    assert "value_not_allowed" not in violation_reasons(plan(composed))


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
def test_broken_rule_is_the_only_violation(path: PlanningPath, reason: str) -> None:
    assert violation_reasons(path) == [reason]


@pytest.mark.parametrize("producer", [1, 2, 9, -1])
def test_reference_to_no_earlier_step_is_unreachable(producer: int) -> None:
    steps = (search(), booking(), search(2))
    path = plan(*steps)
    bad_step = with_arguments(
        booking(), StepArgument("name", "reference", "x", producer, "name", "result")
    )
    path = msgspec.structs.replace(
        path,
        steps=(steps[0], bad_step, steps[2]),
        edges=(msgspec.structs.replace(path.edges[0], from_step=producer),),
    )
    assert "unreachable_step" in violation_reasons(path)


def test_cycle_of_references_is_reported() -> None:
    first, second = booking(0, 1), booking(1, 0)
    path = msgspec.structs.replace(plan(search(), booking()), steps=(first, second))
    edge = path.edges[0]
    backward_edge = msgspec.structs.replace(edge, from_step=1, to_step=0)
    path = msgspec.structs.replace(path, edges=(backward_edge, edge))
    assert violation_reasons(path) == ["unreachable_step", "cyclic"]
    self_edge = msgspec.structs.replace(edge, from_step=1)
    path = msgspec.structs.replace(path, steps=(search(), booking(1, 1)), edges=(self_edge,))
    assert violation_reasons(path) == ["unreachable_step", "cyclic"]


def test_shape_of_lists_required_allowed_and_output_names() -> None:
    colours = (EnumValue("red", "Red"), EnumValue("blue"))
    shape = shape_of(
        api_definition(
            "Lamps.Set",
            Parameter("demanded", "string", "primitive", optional=False),
            Parameter("optional", "string", "primitive", optional=True),
            Parameter("untold", "string", "primitive", optional=None),
            Parameter("colour", "Colour", "enum", optional=False, enum_values=colours),
            Parameter("colours", "Colour", "enum", multiple=True, enum_values=colours),
            Parameter("shade", "string", "primitive", enum_values=colours),
            returns=(
                Return("lamp", "LampEntity", "entity"),
                Return(None, "string", "primitive"),
            ),
        )
    )
    # Unknown optionality means not required; only a single-valued enum restricts its values.
    assert shape.required == {"demanded", "colour"}
    assert shape.parameters == {"demanded", "optional", "untold", "colour", "colours", "shade"}
    assert shape.allowed == {"colour": {"red", "blue"}}
    assert shape.outputs == {"lamp"}


def test_only_enum_parameters_restrict_their_values() -> None:
    shapes = {
        "Bistros.Find": shape_of(
            api_definition(
                "Lamps.Set",
                Parameter("city", "string", "primitive"),
                Parameter("style", "Style", "enum", enum_values=(EnumValue("Basque"),)),
                returns=(Return("name", "s", "primitive"), Return("city", "s", "primitive")),
            )
        )
    }
    valid_plan = plan(search())
    assert check_plan(valid_plan, shapes) == []
    literal_plan = plan(
        with_arguments(search(), StepArgument("city", "literal", "anything at all"))
    )
    assert check_plan(literal_plan, shapes) == []
    invalid_plan = plan(with_arguments(search(), StepArgument("style", "literal", "basque")))
    assert [str(finding.message) for finding in check_plan(invalid_plan, shapes)] == [
        "step 0 Bistros.Find.style"
    ]


def test_offered_value_of_a_failed_step_may_be_referenced() -> None:
    path = plan(search(outcome="failed"), booking())
    offered_edges = (msgspec.structs.replace(path.edges[0], evidence="offered/name"),)
    assert violation_reasons(msgspec.structs.replace(path, edges=offered_edges)) == []
    name_edges = (msgspec.structs.replace(path.edges[0], evidence="name"),)
    assert violation_reasons(msgspec.structs.replace(path, edges=name_edges)) == ["failed_producer"]


def test_edges_may_have_any_order_but_no_duplicates() -> None:
    path = plan(search(), booking(), booking(2))
    reversed_plan = msgspec.structs.replace(path, edges=path.edges[::-1])
    assert violation_reasons(reversed_plan) == []
    plan_with_duplicate = msgspec.structs.replace(path, edges=(*path.edges, path.edges[0]))
    assert violation_reasons(plan_with_duplicate) == ["edges_differ"]


def test_name_mode_may_refer_to_a_failed_call() -> None:
    assert violation_reasons(plan(search(outcome="failed"), booking(), mode="name")) == []
