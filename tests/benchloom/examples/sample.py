"""Two tools and examples of them."""

from benchloom.examples import Example
from benchloom.examples.plans import example_of
from benchloom.records import ApiDefinition, PlanningPath
from benchloom.records.api_definition import EnumValue, Parameter, Return
from tests.benchloom.plans.sample import booking, plan, search


def definition(
    app: str, api: str, parameters: tuple[Parameter, ...], returns: tuple[str, ...]
) -> ApiDefinition:
    return ApiDefinition(
        definition_id=f"{app}.{api}",
        api=api,
        app=app,
        source_kind="benchloom",
        description=f"{api} of {app}",
        parameters=parameters,
        returns=tuple(Return(name, "string", "primitive") for name in returns),
        source_uri="sample",
        source_digest="",
    )


FIND = definition(
    "Bistros",
    "Find",
    (
        Parameter("city", "string", "primitive", description="Where", optional=False),
        Parameter(
            "style",
            "string",
            "enum",
            description="How they cook",
            enum_values=(EnumValue("Basque"), EnumValue("Tamil")),
        ),
    ),
    ("name", "city"),
)
BOOK = definition(
    "Bistros",
    "Book",
    (
        Parameter("name", "string", "primitive", description="Which", optional=False),
        Parameter("time", "string", "primitive", description="When", default='"19:00"'),
    ),
    ("name", "time"),
)
DEFINITIONS = {one.definition_id: one for one in (FIND, BOOK)}


def example(path: PlanningPath | None = None) -> Example:
    """The example of a plan; by default a search and a booking of what it found."""
    return example_of(path or plan(search(), booking(), name="7_00001"), DEFINITIONS)
