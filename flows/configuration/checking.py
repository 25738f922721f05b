"""Faults that only show when the machine is looked at: paths, addresses, prices, a schedule."""

import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchloom.errors import RunError
from benchloom.release.publishing import open_target
from benchloom.reviewing import readers_of
from flows.configuration.crawling import crawl_settings
from flows.configuration.keys import unknown_variables
from flows.configuration.model import NO_SOURCES, Configuration
from flows.configuration.reading import folder_of, read_sound_part
from flows.configuration.sections import ScheduleOptions
from flows.stages.engines import ENGINES
from parsers.dialogues.sources import DIALOGUE_SOURCES
from scrapers.settings import NO_CONTACT


def check_configuration(path: Path | None) -> tuple[str, ...]:
    """Every fault of a configuration, a line each.

    Raises:
        RunError: the file cannot be read at all.
    """
    configuration, faults = read_sound_part(path)
    where = "environment" if path is None else str(path)
    found = [f"{where}: {fault}" for fault in _faults(configuration, folder_of(path))]
    # A key that is left out for its fault is not missing as well.
    told = " ".join(faults).lower()
    for key, missing in ((r"\bsources\b|crawl\W*(__)?sites", NO_SOURCES), ("contact", NO_CONTACT)):
        if re.search(key, told):
            found = [fault for fault in found if not fault.endswith(missing)]
    return (*faults, *found, *(f"environment: {line}" for line in unknown_variables()))


def _faults(configuration: Configuration, base: Path) -> Iterator[str]:
    try:
        configuration.require_sources()
    except RunError as error:
        yield str(error)
    yield from _missing_inputs(configuration, base)
    yield from _review_faults(configuration, base)
    yield from _crawl_faults(configuration)
    if fault := ENGINES.find(configuration.engine.kind).fault(configuration.engine.address):
        yield fault
    yield from _price_faults(configuration, base)
    yield from _weight_faults(configuration, base)
    for address in configuration.targets(base):
        try:
            open_target(address)
        except (RunError, OSError) as error:
            yield f"publish.targets: {error}"
    fault = schedule_fault(configuration.schedule)
    if fault is not None:
        yield fault


def _missing_inputs(configuration: Configuration, base: Path) -> Iterator[str]:
    for kind in ("shortcuts", "definitions", *DIALOGUE_SOURCES.names()):
        for path in configuration.inputs(kind, base):
            if not path.exists():
                yield f"sources.{kind}: {path}: no such file or folder"
    if configuration.sources.captures is not None and not configuration.crawl.sites:
        folder = configuration.captures_folder(base, base)
        if not folder.is_dir():
            yield f"sources.captures: {folder}: no such folder, and [crawl] names no sites"


def _review_faults(configuration: Configuration, base: Path) -> Iterator[str]:
    """Answers that are named and not there, or damaged."""
    if not configuration.review.use or configuration.review.answers is None:
        return
    try:
        readers_of(configuration.answers_place(base, base))
    except RunError as error:
        yield f"review.answers: {error}"


def _crawl_faults(configuration: Configuration) -> Iterator[str]:
    """What would keep the crawl, or one of its sites, from starting on this machine."""
    from scrapers.http.chromium import browser_paths
    from scrapers.sites import SITES

    if not configuration.crawl.sites:
        return
    settings = crawl_settings(configuration.crawl)
    yield from (f"crawl: {fault}" for fault in settings.faults())
    try:
        if settings.replica is not None:
            settings.replica_address()
    except RunError as error:
        yield f"crawl: {error}"
    for site in map(SITES.find, configuration.crawl.sites):
        if site.closed and settings.replica is None:
            yield f"crawl.sites: {site.name} is closed; it answers from captures only"
        rendered = site.access == "browser" or site.name in configuration.crawl.browser_sites
        if rendered and browser_paths() is None:
            yield f"crawl.sites: {site.name} needs chromium and its driver"
        if rendered and find_spec("selenium") is None:
            yield f"crawl.sites: {site.name} needs the extra 'browser'"
        # A configured server may hold the secret in a block, which is only looked at by a run.
        has_secret = settings.reddit_client_secret or os.environ.get("PREFECT_API_URL")
        if site.access == "oauth" and not (settings.reddit_client_id and has_secret):
            yield f"crawl.sites: {site.name} needs REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET"


def _price_faults(configuration: Configuration, base: Path) -> Iterator[str]:
    from prompts.ledger.prices import PRICES, load_price

    options = configuration.generate
    prices = configuration.prices(base)
    if prices is None and options.max_usd is None:
        return
    try:
        price = load_price(options.model, prices or PRICES)
    except (RunError, OSError) as error:
        yield f"generate.prices: {error}"
        return
    asks = options.writer not in {"template", "local"}
    if price is None and options.max_usd is not None and asks:
        yield f"generate.max_usd caps nothing: the price table lacks '{options.model}'"


def _weight_faults(configuration: Configuration, base: Path) -> Iterator[str]:
    """What would keep a local model from being loaded."""
    from prompts.endpoint.local.weights import find_weights

    if configuration.generate.writer != "local" and configuration.generate.model_file is None:
        return
    try:
        find_weights(configuration.model_file(base))
    except RunError as error:
        yield f"generate: {error}"


def schedule_fault(schedule: ScheduleOptions) -> str | None:
    """Why a schedule cannot be kept, None when it can or when there is none."""
    if schedule.cron is None:
        return None
    from prefect.client.schemas.schedules import CronSchedule
    from pydantic import ValidationError

    try:
        CronSchedule(cron=schedule.cron, timezone=schedule.timezone)
    except ValidationError as error:
        entry = error.errors(include_url=False)[0]
        key = str(entry["loc"][0]) if entry["loc"] else "cron"
        said = entry["msg"].removeprefix("Value error, ")
        return f"schedule.{key}: '{getattr(schedule, key)}': {said}"
    return None
