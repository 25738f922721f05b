"""Checks the table [generate]: steps have input, and endpoint, prices and weights can be used."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchloom.core.errors import RunError
from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration, PathKey
from parsers.dialogues.sources import DIALOGUE_SOURCES
from prompts.endpoint.local import find_weights
from prompts.ledger.prices import PRICES, load_price
from prompts.steps import STEPS

_QUERIES = "queries"
_READ: tuple[PathKey, ...] = ("requests", "personas")


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield the problems of LLM steps, and of files, endpoint, prices and weights that they use."""
    configuration, base, _ = context
    for key in _READ:
        path = configuration.path_of(key, base)
        if path is not None and not path.is_file():
            yield Problem(f"generate.{key}", f"{path}: no such file")
    yield from _step_problems(configuration)
    yield from _endpoint_problems(configuration)
    yield from _price_problems(configuration, base)
    yield from _weight_problems(configuration, base)


def _step_problems(configuration: Configuration) -> Iterator[Problem]:
    """Yield a problem for each step whose input no source contains and no earlier step writes."""
    key = "generate.steps"
    available = _tables_of_sources(configuration)
    if configuration.generate.requests is not None:
        if "shortcuts" not in available:
            message = (
                "the requests are about shortcuts, which no source contains; add shortcuts to "
                "[sources]"
            )
            yield Problem("generate.requests", message, unless=("sources", "crawl"))
        available.add(_QUERIES)
    if any(configuration.tasks.kinds()):
        available.add("tasks")
    for name in configuration.generate.steps:
        step = STEPS.find(name)
        for table in step.reads:
            reads = f"step '{name}' reads {table}"
            if table in available:
                continue
            if table == _QUERIES:
                remedy = "which no earlier step writes: put a step with texts, such as 'query', "
                yield Problem(key, f"{reads}, {remedy}before it", name, unless=(key,))
            else:
                remedy = f"which no source contains: set {_source_of(table)}"
                unless = ("sources", "crawl", "tasks")
                yield Problem(key, f"{reads}, {remedy}", name, unless=unless)
        if not step.judges:
            available.add(_QUERIES)


def _tables_of_sources(configuration: Configuration) -> set[str]:
    sources = configuration.sources
    tables = set()
    if sources.shortcuts or sources.captures is not None or configuration.crawl.sites:
        tables.add("shortcuts")
    if sources.definitions:
        tables.add("api_definitions")
    if any(getattr(sources, name) for name in DIALOGUE_SOURCES.names()):
        tables |= {"api_definitions", "planning_paths"}
    return tables


def _source_of(table: str) -> str:
    dialogues = f"dialogues ({', '.join(DIALOGUE_SOURCES.names())})"
    sources = {
        "shortcuts": "shortcuts or captures in [sources], or sites in [crawl]",
        "api_definitions": f"definitions or {dialogues} in [sources]",
        "planning_paths": f"{dialogues} in [sources]",
        "tasks": "suites in [tasks.request], or in another kind",
    }
    return sources.get(table, "what makes it")


def _endpoint_problems(configuration: Configuration) -> Iterator[Problem]:
    """Yield a problem if the client package is missing, or if neither address nor key is set."""
    options = configuration.generate
    if options.writer != "llm" or not options.steps:
        return
    if find_spec("openai") is None:
        message = "'llm' needs the extra 'llm': pip install 'benchloom[llm]'"
        yield Problem("generate.writer", message, outside=True)
    # A configured Prefect server may store the key in a block, which only a run reads.
    endpoint_variables = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "PREFECT_API_URL")
    if options.base_url is None and not any(map(os.environ.get, endpoint_variables)):
        message = "'llm' needs OPENAI_API_KEY in the environment, or base_url"
        yield Problem("generate.writer", message, outside=True, unless=("generate.base_url",))


def _price_problems(configuration: Configuration, base: Path) -> Iterator[Problem]:
    """Yield a problem if prices cannot be read, or lack the price that `max_usd` requires."""
    options = configuration.generate
    prices = configuration.path_of("prices", base)
    if options.free or (prices is None and options.max_usd is None):
        return
    try:
        price = load_price(options.model, prices or PRICES)
    except (RunError, OSError) as error:
        yield Problem("generate.prices", str(error))
        return
    needs_endpoint = options.writer not in {"template", "local"}
    if price is None and options.max_usd is not None and needs_endpoint:
        message = f"max_usd cannot be checked: the price table lacks '{options.model}'"
        yield Problem("generate.max_usd", message, unless=("generate.model", "generate.prices"))


def _weight_problems(configuration: Configuration, base: Path) -> Iterator[Problem]:
    options = configuration.generate
    if options.writer != "local" and options.model_file is None:
        return
    try:
        find_weights(configuration.path_of("model_file", base))
    except RunError as error:
        key = "writer" if options.model_file is None else "model_file"
        yield Problem(f"generate.{key}", str(error), outside="pip install" in str(error))
