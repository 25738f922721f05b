"""Definitions of two tools, and examples that call them."""

from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.core.records.api_definition import EnumValue, Parameter, Return
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.plans import example_of
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from demo.containers import binary
from demo.drafts import Draft, attachment
from parsers.shortcuts import parse_shortcut
from tests.benchloom.normalise.plans.sample import booking, plan, search
from tests.support.samples.api_definitions import api_definition


def definition(
    app: str, api: str, parameters: tuple[Parameter, ...], returns: tuple[str, ...]
) -> ApiDefinition:
    return api_definition(
        api,
        *parameters,
        definition_id=f"{app}.{api}",
        app=app,
        source_kind="benchloom",
        description=f"{api} of {app}",
        returns=tuple(Return(name, "string", "primitive") for name in returns),
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
DEFINITIONS = {definition.definition_id: definition for definition in (FIND, BOOK)}


def example(path: PlanningPath | None = None) -> Example:
    """Return the example of a plan; by default, a search and a booking of its result."""
    return example_of(path or plan(search(), booking(), name="7_00001"), DEFINITIONS)


def example_for(tables: frozenset[str]) -> Example:
    """Return an example of a row of one of these tables."""
    if "planning_paths" in tables:
        return example()
    draft = Draft("Count the geese")
    words = draft.add("gettext", WFTextActionText="grey geese")
    draft.add("count", Input=attachment(words))
    return example_of_shortcut(parse_shortcut(binary(draft.build()), "geese.shortcut"), {})
