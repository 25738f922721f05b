"""Each broken rule of the gate is found, and a good plan has none."""

import msgspec
import pytest

from benchloom.core.records import PlanningPath, Step, StepArgument
from benchloom.core.records.api_definition import EnumValue, Parameter, Return
from benchloom.normalise.plans.gate import check_plan, shape_of
from tests.benchloom.normalise.plans.sample import SHAPES, booking, plan, search
from tests.support.samples.api_definitions import api_definition


def reasons(path: PlanningPath) -> list[str]:
    return [violation.reason for violation in check_plan(path, SHAPES)]


def with_arguments(step: Step, *arguments: StepArgument) -> Step:
    return msgspec.structs.replace(step, arguments=arguments)


def test_a_good_plan_passes() -> None:
    assert reasons(plan(search(), booking())) == []


def test_what_is_composed_when_it_runs_is_held_against_no_list_of_values() -> None:
    composed = with_arguments(
        search(),
        StepArgument("city", "literal", "Lomm"),
        StepArgument("style", "composed", '"nearly Tamil"'),
    )
    assert "value_not_allowed" not in reasons(plan(composed))


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
    own = msgspec.structs.replace(edge, from_step=1)
    path = msgspec.structs.replace(path, steps=(search(), booking(1, 1)), edges=(own,))
    assert reasons(path) == ["unreachable_step", "cyclic"]


def test_the_shape_of_a_definition() -> None:
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
    # What the source does not tell is not demanded; only one value of an enumeration is bound.
    assert shape.required == {"demanded", "colour"}
    assert shape.parameters == {"demanded", "optional", "untold", "colour", "colours", "shade"}
    assert shape.allowed == {"colour": {"red", "blue"}}
    assert shape.outputs == {"lamp"}


def test_only_what_is_enumerated_is_bound_to_values() -> None:
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
    good = plan(search())
    assert check_plan(good, shapes) == []
    literal_plan = plan(
        with_arguments(search(), StepArgument("city", "literal", "anything at all"))
    )
    assert check_plan(literal_plan, shapes) == []
    bad = plan(with_arguments(search(), StepArgument("style", "literal", "basque")))
    assert [str(finding.message) for finding in check_plan(bad, shapes)] == [
        "step 0 Bistros.Find.style"
    ]


def test_what_was_offered_instead_may_be_used_after_a_failure() -> None:
    path = plan(search(outcome="failed"), booking())
    offered = (msgspec.structs.replace(path.edges[0], evidence="offered/name"),)
    assert reasons(msgspec.structs.replace(path, edges=offered)) == []
    named = (msgspec.structs.replace(path.edges[0], evidence="name"),)
    assert reasons(msgspec.structs.replace(path, edges=named)) == ["failed_producer"]


def test_edges_may_stand_in_any_order_but_not_twice() -> None:
    path = plan(search(), booking(), booking(2))
    turned = msgspec.structs.replace(path, edges=path.edges[::-1])
    assert reasons(turned) == []
    twice = msgspec.structs.replace(path, edges=(*path.edges, path.edges[0]))
    assert reasons(twice) == ["edges_differ"]


def test_name_mode_may_refer_to_a_failed_call() -> None:
    assert reasons(plan(search(outcome="failed"), booking(), mode="name")) == []
