"""Derive everyday words for the parameters and outputs of API calls from the definitions."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from prompts.columns import DefinitionRow, ParameterRow, about, has_table, iter_definitions
from prompts.data_block import clean_text
from prompts.language.words import title_words

MAX_ABOUT = 160
_COUNTS = {"num", "no", "number", "count"}
_PLAINLY = {"id", "ids", "str", "flag"}


class ParameterText(msgspec.Struct, frozen=True, gc=False):
    """The everyday name of one parameter or output, and its description in the definition.

    `titles` contains pairs of a value and the title that people see for it.
    """

    label: str
    about: str = ""
    titles: tuple[tuple[str, str], ...] = ()

    def titles_of(self, value: str) -> tuple[str, ...]:
        """Return the titles that people see for a value of the parameter."""
        return tuple(title for listed_value, title in self.titles if listed_value == value)


class DefinitionText(msgspec.Struct, frozen=True):
    """The words about one API: its title and description, and those of its parameters and outputs.

    `parameters` and `returns` are mappings from the names in the definition.
    """

    api: str = ""
    title: str = ""
    description: str = ""
    parameters: dict[str, ParameterText] = {}
    returns: dict[str, ParameterText] = {}

    def parameter(self, name: str) -> ParameterText:
        """Return the words about a parameter; if there are none, its name in plain words."""
        return self.parameters.get(name) or ParameterText(label_of(name))

    def output(self, name: str) -> ParameterText:
        """Return the words about an output, or else about a parameter of the same name."""
        return self.returns.get(name) or self.parameter(name)


def label_of(name: str, title: str | None = None) -> str:
    """Return the everyday name of a parameter: its title, or its name split into words."""
    words = title_words(title or "").split() or title_words(name).split()
    for suffix in (["yes", "or", "no"], ["yes", "no"]):
        if len(words) > len(suffix) and words[-len(suffix) :] == suffix:
            del words[-len(suffix) :]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _PLAINLY):
        words.pop()
    if len(words) > 1 and words[0] in _COUNTS and words[1] != "of":
        words[:1] = ["number", "of"]
    return " ".join(words)


def read_definition_texts(folder: Path) -> dict[str, DefinitionText]:
    """Return a mapping from `definition_id` to the words about the API.

    It is empty if the folder has no definitions.
    """
    if not has_table(folder, "api_definitions"):
        return {}
    rows = iter_definitions(folder)
    return {row.definition_id: _definition(row) for row in rows}


def _definition(row: DefinitionRow) -> DefinitionText:
    return DefinitionText(
        row.api,
        _short(row.title),
        _short(row.description),
        {entry.name: _parameter(entry) for entry in row.parameters},
        dict(_returns(row)),
    )


def _parameter(row: ParameterRow) -> ParameterText:
    titles = tuple((e.value, _short(e.title)) for e in row.enum_values if e.title)
    return ParameterText(label_of(row.name, row.title), _short(row.description), titles)


def _returns(row: DefinitionRow) -> Iterator[tuple[str, ParameterText]]:
    for entry in row.returns:
        if entry.name:
            yield entry.name, ParameterText(label_of(entry.name))


def _short(text: str | None) -> str:
    return clean_text(about(text), MAX_ABOUT)
