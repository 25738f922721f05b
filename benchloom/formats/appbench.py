"""AppBench's record: one JSON line per plan, with the names and texts of the published set."""

import msgspec

from benchloom.examples import Argument, Call, Example, Ref
from benchloom.formats.base import LineFormat, Loss
from benchloom.plans.assembly import category_of
from benchloom.records.values import refs_in, rendered

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


def record_of(example: Example) -> Record:
    """An example as a record; the category follows from the published apps."""
    calls = example.calls
    apps = [app_name(call.app) for call in calls]
    literals: dict[str, str] = {}
    for call in calls:
        literals.update((a.name, supplied(a)) for a in call.arguments if not is_reference(a))
    output = Output(
        used_app=apps,
        used_api=[
            {api_name(call.app, call.api): {a.name: supplied(a) for a in call.arguments}}
            for call in calls
        ],
        result_arguments=[list(call.returns) for call in calls],
        api_results=[result_text(call) for call in calls],
        middle_arguments=sorted({name for call in calls for name in call.returns}),
        user_aware_arguments=literals,
    )
    return Record(example.source_id, example.split, category_of(apps), output)


def is_reference(argument: Argument) -> bool:
    """Whether an argument takes a result."""
    return next(refs_in(argument.value), None) is not None


def supplied(argument: Argument) -> str:
    """The value of an argument as a text: of a reference what the source supplied."""
    if argument.supplied is not None:
        return argument.supplied
    value = rendered(argument.value, _reference)
    return value if isinstance(value, str) else _ENCODER.encode(value).decode()


def _reference(ref: Ref) -> str:
    return ref.output or ""


def result_text(call: Call) -> str:
    """`results = api(#k='v', #k=output)`; nothing is escaped, as published."""
    arguments = ", ".join(
        f"#{a.name}={a.value.output}" if isinstance(a.value, Ref) else f"#{a.name}='{supplied(a)}'"
        for a in call.arguments
    )
    return f"{', '.join(call.returns)} = {api_name(call.app, call.api)}({arguments})"


class AppBench(LineFormat):
    """AppBench's records; they carry no tools."""

    title = "AppBench's records"
    tables = frozenset({"planning_paths"})

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
        return _ENCODER.encode(record_of(example)), ()


FORMAT = AppBench()
