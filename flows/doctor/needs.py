"""This module determines which extras, variables and weights a configuration needs."""

from pathlib import Path

from flows.configuration.checks.crawl import rendered_sites
from flows.configuration.file import read_valid_part
from flows.configuration.model import Configuration
from flows.doctor.base import Needs
from flows.run.engines import ENGINES
from scrapers.mirrors import EXTRAS
from scrapers.sites import SITES


def needs_of(file: Path | None, workspace: Path) -> Needs:
    """Return what a configuration needs, according to its valid values.

    Without a file, the result is empty.

    Raises:
        RunError: the file cannot be read at all.
    """
    if file is None:
        return Needs(workspace)
    part = read_valid_part(file)
    configuration = part.configuration
    options = configuration.generate
    bundled_weights = options.writer == "local" and options.model_file is None
    return Needs(
        workspace,
        file=file,
        extras=_extras(configuration),
        variables=_variables(configuration),
        weights="generate.writer" if bundled_weights else None,
        faults=len(part.faults),
    )


def _extras(configuration: Configuration) -> dict[str, str]:
    needed = {}
    if configuration.cross_check:
        needed["cross-check"] = "cross_check"
    if engine_extra := ENGINES.find(configuration.engine.kind).extra:
        needed[engine_extra] = "engine.kind"
    if configuration.generate.steps and configuration.generate.writer in {"llm", "local"}:
        needed[configuration.generate.writer] = "generate.writer"
    addresses = [(url, "sources") for url in configuration.urls()]
    addresses += [(target, "publish.targets") for target in configuration.publish.targets]
    for address, key in addresses:
        if extra := EXTRAS.get(address.partition("://")[0].lower()):
            needed[extra] = key
    if rendered_sites(configuration):
        needed["browser"] = "crawl.sites"
    return needed


def _variables(configuration: Configuration) -> dict[str, str]:
    needed, options = {}, configuration.generate
    if options.steps and options.writer == "llm" and not options.base_url:
        needed["OPENAI_API_KEY"] = "generate.writer"
    if any(target.startswith("hf://") for target in configuration.publish.targets):
        needed["HF_TOKEN"] = "publish.targets"
    if any(SITES.find(name).access == "oauth" for name in configuration.crawl.sites):
        needed["REDDIT_CLIENT_SECRET"] = "crawl.sites"
    return needed
