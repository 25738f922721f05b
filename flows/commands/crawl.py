"""The command `benchloom crawl`: it crawls sites, and stores every response as a capture."""

import os
import re
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from benchloom.core.errors import GateError, RunError, StoppedError
from flows.commands._help import SITES, Commands, rare
from flows.commands.options import DEFAULT_WORKSPACE, Captures, Config, Json, Workspace, finish

if TYPE_CHECKING:
    from flows.stages.listings.site_report import SiteReport
    from scrapers.settings import CrawlSettings

GROUP = Commands()
_ADDRESS = re.compile(r"(?!file:|local:)[A-Za-z][A-Za-z0-9+.-]+:/")
"""Matches a URL, also with a single slash, because `pathlib.Path` removes doubled slashes."""


class CrawlSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `crawl --json` prints.

    `sites` contains a report for each site; `flows.stages.listings.site_report` has the fields.
    """

    command: str
    captures: str
    listings: int
    sites: list[dict[str, object]]
    seconds: float


@GROUP.command(
    "crawl",
    lists=SITES,
    codes={
        1: "a page contained no entry, so the site has probably changed",
        3: "a site or its robots.txt refused the crawl",
    },
)
def crawl(
    sites: Annotated[
        list[str] | None, Argument(metavar="SITE...", help="Names of sites, from the list below.")
    ] = None,
    every: Annotated[
        bool, Option("--all", help="Crawl every site whose requirements this machine meets.")
    ] = False,
    limit: Annotated[int | None, Option(min=1, help="Stop each site after N listings.")] = None,
    since: Annotated[
        str | None, Option(metavar="DATE", help="Crawl only entries since this date (YYYY-MM-DD).")
    ] = None,
    captures: Captures = None,
    config: Config = None,
    replay: Annotated[
        bool,
        rare(
            "--replay",
            help="Read pages from captures instead of the network; fail if one is missing.",
        ),
    ] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Crawl listings of sites politely, and store every response.

    After a kill, the same command continues the crawl.

    Examples:
        benchloom crawl routinehub --limit 50
        benchloom crawl --all --since 2026-11-01
    """
    from flows.console.output import starting

    with starting("crawl", is_quick=True):
        from flows.stages.listings.crawl import crawl_sites
        from scrapers.errors import SettingsError
        from scrapers.sites import SITES

    if bool(sites) == every:
        raise SettingsError(
            "no site to crawl: pass names of sites (see `benchloom sites`), or --all"
        )
    _check_date(since)
    start = time.perf_counter()
    settings, folder = crawl_setting(config, captures, workspace)
    site_names = SITES.names()
    names = sorted(site_names) if every else sites or []
    if every and replay:
        names = [name for name in names if any((folder / name).glob("*.warc.gz"))]
    reports = crawl_sites(
        names,
        folder,
        settings,
        limit=limit,
        since=since,
        replay=replay,
        skip_unready=every,
    )
    summary = CrawlSummary(
        command="crawl",
        captures=str(folder),
        listings=sum(report.listings for report in reports),
        sites=[msgspec.to_builtins(report) for report in reports],
        seconds=round(time.perf_counter() - start, 3),
    )
    finish(summary, [line for report in reports for line in _lines(report)], as_json=json)
    _judge(reports)


def crawl_setting(
    config: Path | None, captures: Path | None, workspace: Path
) -> "tuple[CrawlSettings, Path]":
    """Return the crawl settings of a configuration, and the folder for captures.

    Raises:
        RunError: the configuration has a fault, the workspace contains an outdated file
            `crawl.toml`, or the captures are at a URL.
    """
    from flows.configuration import (
        crawl_settings,
        find_file,
        folder_of,
        read_configuration,
        refuse_old_file,
    )
    from scrapers.mirrors import without_secrets

    refuse_old_file(workspace)
    file = find_file(config)
    configuration = read_configuration(file)
    address = configuration.sources.captures if captures is None else os.fspath(captures)
    if address is not None and _ADDRESS.match(address):
        raise RunError(
            f"{without_secrets(address)} is a URL, so a crawl cannot write captures to it; pass a "
            f"folder with --captures"
        )
    folder = captures or configuration.captures_folder(folder_of(file), workspace)
    return crawl_settings(configuration.crawl), folder


def _check_date(since: str | None) -> None:
    from scrapers.errors import SettingsError

    try:
        date.fromisoformat(since or "2000-01-01")
    except ValueError:
        raise SettingsError(f"--since takes a date like 2026-01-31, not '{since}'") from None


def _lines(report: "SiteReport") -> list[str]:
    if report.skipped is not None:
        return [f"{report.site}: skipped: {report.skipped}"]
    left_out = "".join(f", {count} {reason}" for reason, count in sorted(report.left_out.items()))
    lines = [f"{report.site}: {report.listings} listings{left_out} on {report.pages} pages"]
    lines[0] += f"; {report.requests} requests, {report.unchanged} unchanged"
    lines[0] += f", {report.resumed} fetched before, {report.body_bytes} bytes"
    lines += [f"  not fetched: {fault}" for fault in report.faults]
    lines += [f"  drift: {drift}" for drift in report.drift]
    lines += [f"  refused: {report.refused}"] if report.refused else []
    return lines


def _judge(reports: "list[SiteReport]") -> None:
    """Raise if a site refused the crawl (exit code 3) or seems to have changed (exit code 1)."""
    refused = [report.refused for report in reports if report.refused]
    if refused:
        raise StoppedError("; ".join(refused))
    drift = tuple(f"{report.site}: {line}" for report in reports for line in report.drift)
    if drift:
        raise GateError(
            f"{len(drift)} pages have no expected entries; the sites have probably changed",
            drift,
        )
