"""This benchmark measures the rate of requests in crawls, and the speed of replaying captures."""

import json
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from benchmarks._processor import DATA
from demo.replica.settings import replica_settings
from flows.stages.listings.crawl import Crawl, crawl_sites
from scrapers.captures import CaptureStore, CaptureWriter, captures_in
from scrapers.crawl.fetching import CapturingFetcher
from scrapers.http.client import Client
from scrapers.pages.page import PageRequest, page_of
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

PAGES = DATA / "sites.zip"
DELAY = 0.2
HOSTS = 10
REQUESTS = 30
LEAST_PAGES = 1500
PERMITTED_PAGES = 300.0


def ratios() -> list[tuple[str, float, str]]:
    """Return rates relative to the permitted rate, and speeds of replays over 300 pages/s."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        slowest, smallest = _polite_rates(folder / "rates")
        figures = [
            ("rate of the slowest of 10 hosts relative to the permitted rate", slowest, ">= 0.9"),
            ("smallest gap between requests relative to the delay", smallest, ">= 1.0"),
            ("replayed replica pages per second over 300", _replay(folder / "replay"), ">= 1"),
        ]
        if PAGES.is_file():
            speed = _real_pages(folder / "real")
            figures.append(("replayed and parsed real pages per second over 300", speed, ">= 1"))
        else:
            sys.stderr.write(f"crawl: {PAGES} is missing, so no real pages are parsed\n")
        return figures


def _serve() -> subprocess.Popen[str]:
    """Start a replica server in another process, so that it does not share the interpreter lock."""
    return subprocess.Popen(
        [sys.executable, "-m", "demo.replica"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _polite_rates(folder: Path) -> tuple[float, float]:
    """Return the rate of the slowest host relative to the permitted rate, and the smallest gap.

    The gap is the time between two requests to one host, relative to the delay.
    """
    sites = [site for site in SITES.all().values() if site.robots_apply and site.name != "kejicut"]
    replica = _serve()
    if replica.stdout is None:
        raise RuntimeError("the replica server has no output")
    settings = replica_settings(
        replica.stdout.readline().strip(), DELAY, jitter=CrawlSettings().jitter
    )
    with Client(settings) as client, ThreadPoolExecutor(HOSTS) as pool:
        for done in [pool.submit(_ask_often, client, folder, site.name) for site in sites[:HOSTS]]:
            done.result()
    log = json.loads(replica.communicate("log\n", timeout=60)[0])
    rates: list[float] = []
    gaps: list[float] = []
    for host in {entry["host"] for entry in log}:
        times = sorted(entry["started"] for entry in log if entry["host"] == host)
        rates.append((len(times) - 1) / (times[-1] - times[0]))
        gaps += [later - earlier for earlier, later in pairwise(times)]
    return min(rates) * DELAY, min(gaps) / DELAY


def _ask_often(client: Client, folder: Path, name: str) -> None:
    site = SITES.find(name)
    with CaptureWriter(folder, name, f"{name}.warc.gz") as writer:
        store = CaptureStore(folder, (name,))
        fetcher = CapturingFetcher(client, store, writer, site.hosts)
        for number in range(REQUESTS):
            fetcher.fetch(PageRequest(f"https://{site.hosts[0]}/{number}.html"))
        store.close()


def _replay(folder: Path) -> float:
    """Return the pages per second of crawls that captures answer, relative to the target."""
    replica = _serve()
    if replica.stdout is None:
        raise RuntimeError("the replica server has no output")
    settings = replica_settings(replica.stdout.readline().strip(), 0.0)
    sites = [site for site in SITES.all().values() if site.access != "browser"]
    crawl_sites([site.name for site in sites], folder, settings)
    replica.communicate(timeout=60)
    crawl = Crawl(sites, folder, settings)
    pages = 0
    start = time.perf_counter()
    while pages < LEAST_PAGES:
        pages += sum(crawl.replay(site).pages for site in sites)
    return pages / (time.perf_counter() - start) / PERMITTED_PAGES


def _real_pages(folder: Path) -> float:
    """Return the real pages per second that are read and parsed, relative to the target."""
    site = SITES.find("routinehub")
    with zipfile.ZipFile(PAGES) as archive, CaptureWriter(folder, site.name, "r.warc.gz") as out:
        for name in archive.namelist():
            if name.startswith("routinehub.co-2020/") and name.endswith(".html"):
                url = f"https://routinehub.co/saved/{quote(name)}"
                out.response(url, (200, "OK"), (), archive.read(name), "2020-08-07T00:00:00Z")
    store = CaptureStore(folder)
    captures = list(captures_in(folder))
    start = time.perf_counter()
    rounds = -(-LEAST_PAGES // len(captures))
    for _ in range(rounds):
        for capture in captures:
            site.parse(page_of(capture, store.body(capture)))
    seconds = time.perf_counter() - start
    store.close()
    return rounds * len(captures) / seconds / PERMITTED_PAGES
