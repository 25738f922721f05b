"""Collect the tools that an API-Bank dataset describes in its table, its texts and its results."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from benchloom.core.records import ApiDefinition, Note
from benchloom.core.records.api_definition import Parameter, Return, sealed
from benchloom.exchange.examples import Call
from benchloom.exchange.foreign.specifications import definition_name
from benchloom.exchange.formats.api_bank.declared import EXCEPTION

SEARCH = "ToolSearcher"
OUR_SEARCH = sealed(
    ApiDefinition(
        definition_id="",
        api=SEARCH,
        app=None,
        source_kind="benchloom",
        description="Looks for tools by what they do.",
        parameters=(Parameter("keywords", "string", "primitive", description="What to look for."),),
        returns=(Return("best_matchs", "Union[List[dict], dict]", "object"),),
        source_uri="benchloom",
        source_digest="",
    )
)
"""Our definition of API-Bank's tool search, which is used if no file contains a definition."""


class Library:
    """The tool definitions of a dataset; several definitions may have the same name."""

    def __init__(self) -> None:
        self._named: dict[str, dict[str, ApiDefinition]] = {}
        self._errors: dict[str, tuple[str, ...]] = {}

    def add(self, definition: ApiDefinition) -> bool:
        """Add a definition; return whether it is new."""
        definitions = self._named.setdefault(definition_name(definition), {})
        is_new = definition.definition_id not in definitions
        definitions.setdefault(definition.definition_id, definition)
        return is_new

    def add_errors(self, name: str, texts: Iterable[str]) -> None:
        """Store the errors that an API may return, until its definition is created."""
        self._errors[name] = tuple(texts)

    def with_errors(self, definition: ApiDefinition) -> ApiDefinition:
        """Return the definition with the errors that `add_errors` stored for its name."""
        return with_errors(definition, self._errors.get(definition_name(definition), ()))

    def names_without_definition(self) -> Iterator[str]:
        """Yield the names of tools for which errors are stored, but no definition exists."""
        return (name for name in self._errors if name not in self._named)

    def find(
        self, name: str, call: Call, dialogue_definitions: Mapping[str, ApiDefinition]
    ) -> ApiDefinition | None:
        """Return the definition of the tool that a call names, or None if there is none.

        A definition in the same dialogue comes first; otherwise it is the definition with this name
        whose parameters match the call's arguments best.
        """
        if name in dialogue_definitions:
            return dialogue_definitions[name]
        candidates = self._named.get(name)
        if candidates:
            return min(candidates.values(), key=lambda candidate: _misfit(candidate, call))
        return OUR_SEARCH if name == SEARCH else None


def with_errors(definition: ApiDefinition, texts: Iterable[str]) -> ApiDefinition:
    """Return a definition with the texts of errors that its API may return."""
    notes = tuple(Note(EXCEPTION, text) for text in texts)
    return sealed(replace(definition, notes=notes)) if notes else definition


def _misfit(definition: ApiDefinition, call: Call) -> tuple[int, int, str]:
    supplied = {argument.name for argument in call.arguments}
    parameters = {parameter.name for parameter in definition.parameters}
    return len(supplied - parameters), len(parameters - supplied), definition.definition_id
