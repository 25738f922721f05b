"""Check plans: arguments must fit the API definitions, and references must lead to outputs.

References must also form no cycle.
"""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import msgspec

from benchloom.core.records.api_definition import ApiDefinition
from benchloom.core.records.planning_path import PlanningPath, Step, StepArgument
from benchloom.core.records.values import refs_in, value_of

UNDEFINED = "undefined_apis"
"""A plan has this oddity if its dataset contains no API definitions."""


class ApiShape(msgspec.Struct, frozen=True):
    """The facts about an API that the check of a plan needs.

    `required` are names of parameters, and `allowed` maps an enum parameter to its values.
    """

    required: frozenset[str]
    parameters: frozenset[str]
    outputs: frozenset[str]
    allowed: dict[str, frozenset[str]] = {}


def shape_of(definition: ApiDefinition) -> ApiShape:
    """Return the facts about an API that the check of a plan needs, from its definition."""
    return ApiShape(
        required=frozenset(p.name for p in definition.parameters if p.optional is False),
        parameters=frozenset(p.name for p in definition.parameters),
        outputs=frozenset(r.name for r in definition.returns if r.name is not None),
        allowed={
            p.name: frozenset(value.value for value in p.enum_values)
            for p in definition.parameters
            if p.type_kind == "enum" and not p.multiple
        },
    )


class Violation(NamedTuple):
    """A broken rule of a plan. `reason` is a stable word; `message` names the step and argument."""

    reason: str
    message: str


def check_plan(path: PlanningPath, shapes: Mapping[str, ApiShape]) -> list[Violation]:
    """Return every violation of the rules for a plan, in the order of its steps.

    `shapes` maps a `definition_id` to the facts about the API. A reference to a failed call is
    allowed in two cases: if the call offered something in place of the requested result, and if the
    plan was built in name mode, which follows AppBench's rules and so contains such references.
    """
    violations: list[Violation] = []
    for step in path.steps:
        shape = shapes.get(step.definition_id)
        if shape is None:
            violations.append(Violation("unknown_api", _step_name(step)))
        else:
            _check_arguments(step, shape, violations)
            if path.reference_mode == "flow" and not shape.outputs.issuperset(step.returns):
                violations.append(Violation("undeclared_output", f"{_step_name(step)} returns"))
    _check_references(path, violations)
    return violations


def _check_arguments(step: Step, shape: ApiShape, violations: list[Violation]) -> None:
    names = {argument.name for argument in step.arguments}
    if len(names) != len(step.arguments):
        violations.append(Violation("repeated_argument", _step_name(step)))
    faults = [("unknown_argument", name) for name in sorted(names - shape.parameters)]
    faults += [("missing_argument", name) for name in sorted(shape.required - names)]
    faults += [("unreadable_value", a.name) for a in step.arguments if not _is_readable(a)]
    faults += [
        ("value_not_allowed", a.name)
        for a in step.arguments
        if a.name in shape.allowed and _has_value(a) and a.value not in shape.allowed[a.name]
    ]
    violations += [Violation(reason, f"{_step_name(step)}.{name}") for reason, name in faults]


def _has_value(argument: StepArgument) -> bool:
    # A reference without a value takes it from its step; a composed value is not an enumeration.
    return argument.kind != "composed" and (argument.kind != "reference" or bool(argument.value))


def _check_references(path: PlanningPath, violations: list[Violation]) -> None:
    steps = path.steps
    references: list[tuple[int, str, int, str]] = []
    for step in steps:
        for argument in step.arguments:
            for start, whole_or_output in _producers(argument):
                output = whole_or_output or ""
                references.append((start, output, step.index, argument.name))
                location = f"{_step_name(step)}.{argument.name}"
                if not 0 <= start < step.index:
                    violations.append(Violation("unreachable_step", f"{location} <- step {start}"))
                elif whole_or_output is not None and output not in steps[start].returns:
                    violations.append(
                        Violation("undeclared_output", f"{location} <- {start}.{output}")
                    )
                elif (
                    path.reference_mode == "flow"
                    and steps[start].outcome in {"failed", "retried"}
                    and not _is_offered(path, (start, output, step.index, argument.name))
                ):
                    violations.append(Violation("failed_producer", f"{location} <- step {start}"))
    edges = [(e.from_step, e.output, e.to_step, e.argument) for e in path.edges]
    if edges != references and sorted(edges) != sorted(references):
        violations.append(
            Violation("edges_differ", "the edges differ from the references in arguments")
        )
    if any(start >= end for start, _, end, _ in references):
        sorter = TopologicalSorter[int]()
        for start, _, end, _ in references:
            sorter.add(end, start)
        try:
            sorter.prepare()
        except CycleError:
            violations.append(Violation("cyclic", "the references form a cycle"))


def _producers(argument: StepArgument) -> Iterator[tuple[int, str | None]]:
    # The output is None for the whole result.
    if argument.from_step is not None:
        yield argument.from_step, argument.output
    elif argument.kind == "composed" and _is_readable(argument):
        for ref in refs_in(value_of(argument.value, is_json=True)):
            yield ref.step, ref.output


def _is_readable(argument: StepArgument) -> bool:
    try:
        value_of(argument.value, is_json=argument.is_json or argument.kind == "composed")
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def _is_offered(path: PlanningPath, reference: tuple[int, str, int, str]) -> bool:
    # The system offered this output instead of the requested one.
    return any(
        (e.from_step, e.output, e.to_step, e.argument) == reference
        and e.evidence.startswith("offered/")
        for e in path.edges
    )


def _step_name(step: Step) -> str:
    name = f"{step.app}.{step.api}" if step.app else step.api
    return f"step {step.index} {name}"
