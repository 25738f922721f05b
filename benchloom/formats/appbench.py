"""AppBench's record: one JSON line per plan, with the names and texts of the published set."""

from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription
from benchloom.plans.assembly import category_of
from benchloom.records import PlanningPath, Step

_APPS = {"RentalCars": "Rents", "RideSharing": "Rents", "Messaging": "WeChat"}
_APIS = {("Movies_3", "FindMovies"): "reviewmovies"}
_ENCODER = msgspec.json.Encoder()


class Output(msgspec.Struct, frozen=True):
    """The plan as AppBench tells it; lists run over the calls in order.

    `used_api` holds the supplied values, of references too; only `api_results` shows references.
    `user_aware_arguments` holds every literal, later calls overwriting earlier ones of the same
    name; `middle_arguments` is the sorted union of all results.
    """

    used_app: list[str]
    used_api: list[dict[str, dict[str, str]]]
    result_arguments: list[list[str]]
    api_results: list[str]
    middle_arguments: list[str]
    user_aware_arguments: dict[str, str]


class Record(msgspec.Struct, frozen=True):
    """One line of the export."""

    dialogue_id: str
    split: str
    category: str
    output: Output


def app_name(service: str) -> str:
    """The published app of a service; a published app stays as it is."""
    domain = service.split("_", 1)[0]
    return _APPS.get(domain, domain)


def api_name(service: str, method: str) -> str:
    """The published API of a service's method; a published API stays as it is."""
    return _APIS.get((service, method)) or method.lower()


def record_of(path: PlanningPath) -> Record:
    """A plan as a record; the category follows from the published apps."""
    steps = path.steps
    apps = [app_name(step.app) for step in steps]
    literals: dict[str, str] = {}
    for step in steps:
        literals.update((a.name, a.value) for a in step.arguments if a.kind == "literal")
    output = Output(
        used_app=apps,
        used_api=[
            {api_name(step.app, step.api): {a.name: a.value for a in step.arguments}}
            for step in steps
        ],
        result_arguments=[list(step.returns) for step in steps],
        api_results=[result_text(step) for step in steps],
        middle_arguments=sorted({name for step in steps for name in step.returns}),
        user_aware_arguments=literals,
    )
    return Record(path.source_id, path.source_split, category_of(apps), output)


def result_text(step: Step) -> str:
    """`results = api(#k='v', #k=output)`; nothing is escaped, as published."""
    arguments = ", ".join(
        f"#{a.name}={a.output}" if a.kind == "reference" else f"#{a.name}='{a.value}'"
        for a in step.arguments
    )
    return f"{', '.join(step.returns)} = {api_name(step.app, step.api)}({arguments})"


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:  # noqa: ARG001
    """One line of the export; AppBench carries no tools."""
    return _ENCODER.encode(record_of(path))
