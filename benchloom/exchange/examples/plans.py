"""Convert plans (rows of `planning_paths`) to examples, and examples to plans."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from benchloom.core.records import ApiDefinition, Edge, PlanningPath, Step, StepArgument
from benchloom.core.records.values import (
    Plain,
    Ref,
    Value,
    from_plain,
    refs_in,
    to_json,
    to_plain,
    value_of,
)
from benchloom.exchange.examples.example import Argument, Call, Example, Text, refs_of
from benchloom.normalise.plans.assembly import build_path

_ENCODER = msgspec.json.Encoder(order="deterministic")
DECLARED = "declared"  # the evidence of a reference that the source itself contains


def example_of(
    path: PlanningPath, definitions: Mapping[str, ApiDefinition], text: Text | None = None
) -> Example:
    """Convert a plan to an example; the definitions of called APIs come first among its tools.

    `text` is the request for the plan.
    """
    offered = dict.fromkeys((*(step.definition_id for step in path.steps), *path.tools))
    return Example(
        example_id=text.query_id if text else path.path_id,
        target_id=path.path_id,
        source=path.source,
        source_id=path.source_id,
        source_uri=path.source_uri,
        split=path.split or "",
        request=text.text if text else None,
        answer=text.answer if text else msgspec.UNSET,
        rejected=text.rejected if text else None,
        calls=tuple(_call(step) for step in path.steps),
        definitions=tuple(definitions[name] for name in offered if name in definitions),
        reference_mode=path.reference_mode,
        oddities=path.oddities,
    )


def plan_of(example: Example) -> PlanningPath:
    """Convert an example to a plan.

    Each reference to a result becomes an edge whose evidence is `declared`, because the source
    contains it.
    """
    steps = tuple(_step(index, call) for index, call in enumerate(example.calls))
    edges = tuple(
        Edge(ref.step, ref.output or "", step, argument.name, DECLARED)
        for step, call in enumerate(example.calls)
        for argument in call.arguments
        for ref in refs_in(argument.value)
    )
    called_ids = {call.definition_id for call in example.calls}
    tools = {definition.definition_id for definition in example.definitions} - called_ids
    return build_path(
        source=example.source,
        source_id=example.source_id,
        source_uri=example.source_uri,
        split=example.split,
        reference_mode=example.reference_mode,
        steps=steps,
        edges=edges,
        oddities=example.oddities,
        tools=tuple(sorted(tools)),
    )


def arguments_of(values: Mapping[str, Value]) -> tuple[Argument, ...]:
    """Convert a mapping of values to arguments that are sorted by name, as in plans."""
    return tuple(Argument(name, value) for name, value in sorted(values.items()))


def used_outputs(calls: Iterable[Call]) -> dict[int, list[str]]:
    """Return a mapping from the index of a call to its outputs that later calls use.

    Outputs are in the order of their first use.
    """
    outputs_by_step: dict[int, dict[str, None]] = {}
    for ref in refs_of(calls):
        if ref.output is not None:
            outputs_by_step.setdefault(ref.step, {})[ref.output] = None
    return {step: list(names) for step, names in outputs_by_step.items()}


def answer_text(example: Example) -> str | None:
    """Encode the answer of an example as JSON, or return None if the example has no answer.

    A reference to a result becomes an object with the key `$ref`.
    """
    if isinstance(example.answer, msgspec.UnsetType):
        return None
    return _ENCODER.encode({"answer": to_plain(example.answer)}).decode()


def answer_of(structured: str | None) -> "Value | msgspec.UnsetType":
    """Decode the answer in the field `structured` of a request.

    Returns UNSET if there is no answer, or it was redacted.
    """
    if structured is None:
        return msgspec.UNSET
    try:
        fields: dict[str, Plain] = msgspec.json.decode(structured, type=dict)
        return from_plain(fields["answer"]) if "answer" in fields else msgspec.UNSET
    except msgspec.DecodeError:
        return msgspec.UNSET


def _call(step: Step) -> Call:
    return Call(
        step.app,
        step.api,
        tuple(_argument(argument) for argument in step.arguments),
        step.definition_id,
        step.returns,
        step.outcome,
    )


def _argument(argument: StepArgument) -> Argument:
    if argument.from_step is not None:
        return Argument(
            argument.name, Ref(argument.from_step, argument.output), argument.value or None
        )
    return Argument(argument.name, value_of(argument.value, is_json=argument.is_json))


def _step(index: int, call: Call) -> Step:
    return Step(
        index,
        call.app,
        call.api,
        tuple(_step_argument(argument) for argument in call.arguments),
        call.returns,
        call.outcome,
        call.definition_id,
    )


def _step_argument(argument: Argument) -> StepArgument:
    value = argument.value
    if isinstance(value, Ref) and not value.path:
        return StepArgument(
            argument.name,
            "reference",
            argument.supplied or "",
            value.step,
            value.output,
            provenance="result",
        )
    if isinstance(value, str):
        return StepArgument(argument.name, "literal", value, provenance="unknown")
    composed = next(refs_in(value), None) is not None
    kind: Literal["composed", "literal"] = "composed" if composed else "literal"
    return StepArgument(argument.name, kind, to_json(value), provenance="unknown", is_json=True)
