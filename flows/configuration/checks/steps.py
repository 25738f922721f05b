"""Steps that would find nothing to read."""

from collections.abc import Iterator

from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart
from flows.configuration.model import Configuration
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.steps import STEPS

_QUERIES = "queries"
NO_STEP_WRITES = "which no step before it writes"
NO_SOURCE_MAKES = "which no source makes"


def step_faults(part: SoundPart) -> Iterator[Fault]:
    """Each step that reads a table which no source, and no step before it, makes."""
    available_tables = _made_by_sources(part.configuration)
    for number, name in enumerate(part.configuration.generate.steps):
        step = STEPS.find(name)
        for table in step.reads:
            if table not in available_tables:
                message = f"generate.steps[{number}]: step '{name}' reads {table}, {_mend(table)}"
                yield part.located(Fault(message, ("generate", "steps"), f'"{name}"'), name)
        if not step.judges:
            available_tables.add(_QUERIES)


def _made_by_sources(configuration: Configuration) -> set[str]:
    sources = configuration.sources
    tables = set()
    if sources.shortcuts or sources.captures is not None or configuration.crawl.sites:
        tables.add("shortcuts")
    if sources.definitions:
        tables.add("api_definitions")
    if any(getattr(sources, name) for name in DIALOGUE_SOURCES.names()):
        tables |= {"api_definitions", "planning_paths"}
    return tables


def _mend(table: str) -> str:
    """What is missing, and where it would come from."""
    if table == _QUERIES:
        return f"{NO_STEP_WRITES}: put one that writes texts, as 'query', before it"
    dialogues = ", ".join(DIALOGUE_SOURCES.names())
    from_ = {
        "shortcuts": "shortcuts or captures, or sites in [crawl]",
        "api_definitions": f"definitions or dialogues ({dialogues})",
        "planning_paths": f"dialogues ({dialogues})",
    }
    return f"{NO_SOURCE_MAKES}: name {from_.get(table, 'what makes it')} in [sources]"
