"""Read from API definitions the facts that prompts show and that decisions depend on."""

from pathlib import Path

from prompts.data_block import clean_text
from prompts.language.value_texts.labels import ApiFacts, ParameterFacts
from prompts.reading import DefinitionRow, ParameterRow, about, definitions_folder, iter_definitions

MAX_TITLE = 80
MAX_ABOUT = 240


def read_facts(folder: Path) -> dict[str, ApiFacts]:
    """Return the facts by API: from the folder, else its workspace, else no facts."""
    defining = definitions_folder(folder)
    if defining is None:
        return {}
    facts_by_api: dict[str, ApiFacts] = {}
    for row in iter_definitions(defining):
        if row.api not in facts_by_api:
            facts_by_api[row.api] = _facts(row)
    return facts_by_api


def _facts(row: DefinitionRow) -> ApiFacts:
    return ApiFacts(
        row.api,
        _line(row.title, MAX_TITLE),
        _line(about(row.description), MAX_ABOUT),
        {entry.name: _parameter(entry) for entry in row.parameters},
    )


def _parameter(row: ParameterRow) -> ParameterFacts:
    return ParameterFacts(
        _line(row.title, MAX_TITLE),
        _line(about(row.description), MAX_ABOUT),
        row.type,
        row.type_kind,
        {entry.value: _line(entry.title, MAX_TITLE) for entry in row.enum_values if entry.title},
    )


def _line(text: str | None, limit: int) -> str:
    return " ".join(clean_text(text or "", limit).split())
