"""Check that killed crawls continue where they stopped, without losses or repeated requests."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from demo.replica.pages.reddit import CLIENT_ID, CLIENT_SECRET
from demo.replica.server import LoggedRequest, Replica, running_replica
from demo.replica.settings import CONTACT, replica_settings
from flows.stages.listings.crawl import crawl_sites
from flows.stages.listings.download import listed_ids
from scrapers.sites import SITES
from tests.support.captured_tables import read_icloud_records, read_listings
from tests.support.politeness import impolite_requests
from tests.support.prefect_server import clean_environment
from tests.support.soak import samples

KILLS = samples(2, 10)
DELAY = 0.01
RESUMED = ("routinehub", "shareshortcuts", "jiejingku", "matthewcassinelli", "reddit", "sspai")


def start_command(
    home: dict[str, str], replica: Replica, captures: Path, *command: str
) -> subprocess.Popen[bytes]:
    """Start a command of the project as a process that crawls the replica."""
    environment = home | {
        "BENCHLOOM_CONTACT": CONTACT,
        "BENCHLOOM_REPLICA": replica.address,
        "BENCHLOOM_DELAY": str(DELAY),
        "REDDIT_CLIENT_ID": CLIENT_ID,
        "REDDIT_CLIENT_SECRET": CLIENT_SECRET,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *command, "--captures", str(captures)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def kill_at_random(
    home: dict[str, str],
    replica: Replica,
    captures: Path,
    command: tuple[str, ...],
    requests: int,
) -> int:
    """Run a command until it ends, kill it at random moments, and return the number of kills."""
    source = random.Random(11)
    kills = 0
    while True:
        process = start_command(home, replica, captures, *command)
        if kills < KILLS:
            goal = len(replica.log) + source.randrange(1, requests // KILLS)
            while len(replica.log) < goal and process.poll() is None:
                time.sleep(0.001)
            time.sleep(source.random() * 0.01)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
        _, errors = process.communicate(timeout=120)
        if process.returncode != -signal.SIGKILL:
            assert process.returncode == 0, errors.decode()
            return kills


def listing_rows(captures: Path, name: str) -> list[dict[str, object]]:
    merged, drift = read_listings(captures)
    assert not drift
    rows = [row for row in merged.listings if row.site == name]
    return sorted(({f: getattr(r, f) for f in r.__struct_fields__} for r in rows), key=repr)


def count_repeats(log: list[LoggedRequest]) -> int:
    """Return how many GET requests repeated an earlier one."""
    request_counts = Counter(
        (request.host, request.path) for request in log if request.method == "GET"
    )
    return sum(count - 1 for count in request_counts.values())


@pytest.mark.long
def test_crawl_that_is_killed_repeatedly_gives_equal_listings(tmp_path: Path) -> None:
    home = clean_environment(tmp_path / "home")
    with running_replica() as replica:
        crawl_sites(RESUMED, tmp_path / "whole", replica_settings(replica, 0.0))
        requests = len(replica.log)
        replica.log.clear()
        kills = kill_at_random(home, replica, tmp_path / "killed", ("crawl", *RESUMED), requests)
        assert kills == KILLS
        # Each site may have had one request in flight whenever the crawl was killed.
        per_site = [
            count_repeats(
                [request for request in replica.log if request.host in SITES.find(name).hosts]
            )
            for name in RESUMED
        ]
        assert max(per_site) <= KILLS
        assert impolite_requests(replica.log, DELAY, CONTACT) == []
        for name in RESUMED:
            expected_rows = listing_rows(tmp_path / "whole", name)
            assert expected_rows
            assert listing_rows(tmp_path / "killed", name) == expected_rows


@pytest.mark.long
def test_download_that_is_killed_repeatedly_is_complete(tmp_path: Path) -> None:
    home = clean_environment(tmp_path / "home")
    captures = tmp_path / "captures"
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        crawl_sites(["routinehub", "macstories"], captures, settings)
        link_count = len(listed_ids(captures, settings))
        assert link_count > 50
        replica.log.clear()
        kills = kill_at_random(home, replica, captures, ("download",), 2 * link_count)
        assert kills == KILLS
        # A record and its file are two requests; robots.txt of both hosts may be requested again.
        assert count_repeats(replica.log) <= 2 * KILLS
        states = Counter(record.state for record in read_icloud_records(captures))
        assert sum(states.values()) == link_count
        assert states["available"] > link_count - 5
        assert states["no_asset"] == 0


def test_crawl_continues_after_a_refusal(tmp_path: Path) -> None:
    with running_replica() as replica:
        settings = replica_settings(replica, 0.0)
        replica.faults.add("www.rcuts.com", "/13", "forbidden", 1)
        refused = crawl_sites(["rcuts"], tmp_path, settings)[0]
        assert refused.refused is not None
        assert not refused.complete
        request_count = len(replica.log)
        complete_report = crawl_sites(["rcuts"], tmp_path, settings)[0]
        assert complete_report.complete
        assert complete_report.listings == len(replica.world.expected("rcuts"))
        assert count_repeats(replica.log) == 1  # the refused request
        assert len(replica.log) > request_count
