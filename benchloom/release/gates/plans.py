"""Gate: every plan fits the definitions of the release, and its references form no cycle."""

from collections.abc import Iterator

from benchloom.plans.gate import check_plan, shape_of
from benchloom.records import ApiDefinition, PlanningPath
from benchloom.release.gates.view import GateView
from benchloom.tables import iter_records

CHECKS = ("plans",)


def findings(release: GateView) -> Iterator[str]:
    """One line per broken rule, with the plan and the step."""
    if not release.has("planning_paths"):
        return
    if not release.has("api_definitions"):
        yield "planning_paths: the release holds no api_definitions to check them against"
        return
    shapes = {
        definition.definition_id: shape_of(definition)
        for definition in iter_records(release.folder, "api_definitions", ApiDefinition)
    }
    for path in iter_records(release.folder, "planning_paths", PlanningPath):
        for violation in check_plan(path, shapes):
            place = f"planning_paths: {path.path_id} ({path.source_id})"
            yield f"{place}: {violation.reason}: {violation.message}"
