"""A release gate: plans must fit the API definitions, and their derived columns must be right."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.normalise.plans.assembly import (
    category_of,
    component_sizes,
    plan_digest,
    release_split,
)
from benchloom.normalise.plans.gate import UNDEFINED, ApiShape, check_plan, shape_of
from benchloom.normalise.redaction import PLACEHOLDER
from benchloom.normalise.redaction.json_cells import REDACTED_NUMBER
from benchloom.release.gates.rows import RowsPart
from benchloom.release.gates.view import GateView, Part
from benchloom.storage.tables import iter_records


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts that can run in parallel, each for a range of plans."""
    if _lacks_definitions(release):
        yield _no_definitions
        return
    needed = ("api_definitions",) if release.has("api_definitions") else ()
    for piece in release.pieces("planning_paths"):
        yield RowsPart(piece, PlanningPath, plan_findings, needed, _shapes)


def _no_definitions(_: GateView) -> Iterator[str]:
    yield "planning_paths: the release contains no api_definitions"


def _lacks_definitions(release: GateView) -> bool:
    if release.has("api_definitions"):
        return False
    paths = iter_records(release.folder, "planning_paths", PlanningPath)
    return any(path.steps and UNDEFINED not in path.oddities for path in paths)


def plan_findings(shapes: Mapping[str, ApiShape], path: PlanningPath) -> Iterator[str]:
    """Yield one line per wrong derived column of a plan, and per call that breaks a definition."""
    if not path.dialogues:
        return  # the gate `lineage` reports it
    for name, stored_value, follows in _derive(path):
        if stored_value != follows:
            location = f"planning_paths: {path.path_id}"
            yield f"{location}: {name} is {stored_value}, expected {follows}"
    for violation in check_plan(path, shapes):
        if violation.reason == "unknown_api" and UNDEFINED in path.oddities:
            continue  # the gate `references` checks the ids in steps
        location = f"planning_paths: {path.path_id} ({path.source_id})"
        yield f"{location}: {violation.reason}: {violation.message}"


@lru_cache(maxsize=1)
def _shapes(release: GateView) -> dict[str, ApiShape]:
    return {
        definition.definition_id: shape_of(definition)
        for definition in iter_records(release.folder, "api_definitions", ApiDefinition)
        if release.has("api_definitions")
    }


def _is_redacted(path: PlanningPath) -> bool:
    # The id of a redacted plan cannot be computed again.
    return any(
        PLACEHOLDER.search(argument.value)
        or (argument.is_json and REDACTED_NUMBER.search(argument.value))
        for step in path.steps
        for argument in step.arguments
    )


def _derive(path: PlanningPath) -> Iterator[tuple[str, object, object]]:
    if not _is_redacted(path):
        yield "path_id", path.path_id, plan_digest(path.steps, path.tools)
    yield "split", path.split, release_split(dialogue.split for dialogue in path.dialogues)
    yield "category", path.category, category_of([step.app for step in path.steps])
    for step in path.steps:
        for argument in step.arguments:
            if (argument.kind == "reference") != (argument.from_step is not None):
                follows = "literal" if argument.from_step is None else "reference"
                yield f"kind of step {step.index}.{argument.name}", argument.kind, follows
    count = len(path.steps)
    links = [
        (edge.from_step, edge.to_step)
        for edge in path.edges
        if 0 <= edge.from_step < count and 0 <= edge.to_step < count
    ]
    sizes = component_sizes(count, links)
    yield "sequential_scales", path.sequential_scales, sizes
    yield "parallel_scale", path.parallel_scale, len(sizes)
