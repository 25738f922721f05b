"""The keys of dialogues, which come from the sources that are found.

Each source has its inputs in `[sources]` and a table of its own with the options it offers.
"""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, create_model

from flows.configuration.section import Section
from parsers.dialogues.material import Droppable
from parsers.dialogues.protocol import DialogueSource
from parsers.dialogues.sources import DIALOGUE_SOURCES

M = TypeVar("M", bound=Section)


def with_dialogue_inputs(table: type[M]) -> type[M]:
    """The table with a list of inputs for each source."""
    fields: dict[str, Any] = {
        name: (
            tuple[Annotated[str, Field(min_length=1)], ...],
            Field(
                default=(),
                description=f"{source.title}: a folder with train, dev and test.",
                examples=[[f"{name}/"]],
            ),
        )
        for name, source in DIALOGUE_SOURCES.all().items()
    }
    return create_model(
        table.__name__, __base__=table, __module__=table.__module__, __doc__=table.__doc__, **fields
    )


def with_dialogue_tables(file: type[M]) -> type[M]:
    """The file with a table of options for each source."""
    fields: dict[str, Any] = {}
    for name, source in DIALOGUE_SOURCES.all().items():
        table = options_of(source)
        fields[name] = (table, table())
    return create_model(
        file.__name__, __base__=file, __module__=file.__module__, __doc__=file.__doc__, **fields
    )


def options_of(source: DialogueSource) -> type[Section]:
    """The options that a source offers, under the names that `benchloom convert` has for them."""
    fields: dict[str, Any] = {
        "mode": (
            Literal[source.modes],
            Field(
                default=source.modes[0],
                description="flow: references by value and provenance; name: AppBench's rules."
                if "name" in source.modes
                else "flow: references by value and provenance.",
            ),
        ),
        "drop": (
            tuple[Droppable, ...],
            Field(default=(), description="Outcomes of steps to leave out.", examples=[["failed"]]),
        ),
    }
    if source.has_variants:
        fields["variant"] = (
            str | None,
            Field(
                default=None,
                pattern=r"^v[1-5]$",
                description="Names of a variant of the schemas, v1 to v5.",
                examples=["v1"],
            ),
        )
    about = f"What is made of {source.title}; see `benchloom convert --help`."
    return create_model(f"{source.name}_options", __base__=Section, __doc__=about, **fields)


def _widened(model: type[M], fields: dict[str, Any]) -> type[M]:
    """A model with more fields under its own name."""
    return create_model(
        model.__name__,
        __base__=model,
        __module__=model.__module__,
        __doc__=model.__doc__,
        **fields,
    )
