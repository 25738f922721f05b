"""What a configuration needs of the machine."""

from pathlib import Path

from flows.configuration.file import read_sound_part
from flows.configuration.model import Configuration
from flows.doctor.base import Needs
from scrapers.mirrors.address import EXTRAS


def needs_of(file: Path | None, workspace: Path) -> Needs:
    """What the file and the environment ask for, as far as they are sound.

    Raises:
        RunError: the file cannot be read at all.
    """
    if file is None:
        return Needs(workspace)
    part = read_sound_part(file)
    chosen = part.configuration
    return Needs(
        workspace,
        file=file,
        extras=_extras(chosen),
        variables=_variables(chosen),
        weights=_weights(chosen),
        faults=len(part.faults),
    )


def _extras(chosen: Configuration) -> dict[str, str]:
    needed_extras = {}
    if chosen.cross_check:
        needed_extras["cross-check"] = "cross_check"
    if chosen.engine.kind == "dask":
        needed_extras["cluster"] = "engine.kind"
    if chosen.generate.steps and chosen.generate.writer in {"llm", "local"}:
        needed_extras[chosen.generate.writer] = "generate.writer"
    for key, addresses in (
        ("sources", chosen.urls()),
        ("publish.targets", chosen.publish.targets),
    ):
        for address in addresses:
            if extra := EXTRAS.get(address.partition("://")[0].lower()):
                needed_extras[extra] = key
    if _rendered(chosen):
        needed_extras["browser"] = "crawl.sites"
    return needed_extras


def _rendered(chosen: Configuration) -> bool:
    from scrapers.sites import SITES

    rendered = {SITES.find(name).name for name in chosen.crawl.browser_sites}
    sites = [SITES.find(name) for name in chosen.crawl.sites]
    return any(site.access == "browser" or site.name in rendered for site in sites)


def _variables(chosen: Configuration) -> dict[str, str]:
    from scrapers.sites import SITES

    needed_variables = {}
    if chosen.generate.steps and chosen.generate.writer == "llm" and not chosen.generate.base_url:
        needed_variables["OPENAI_API_KEY"] = "generate.writer"
    if any(target.startswith("hf://") for target in chosen.publish.targets):
        needed_variables["HF_TOKEN"] = "publish.targets"
    if any(SITES.find(name).access == "oauth" for name in chosen.crawl.sites):
        needed_variables["REDDIT_CLIENT_SECRET"] = "crawl.sites"
    return needed_variables


def _weights(chosen: Configuration) -> str | None:
    default_weights = chosen.generate.writer == "local" and chosen.generate.model_file is None
    return "generate.writer" if default_weights else None
