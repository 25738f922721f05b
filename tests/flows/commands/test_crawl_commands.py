"""Tests of the commands sites, crawl and download against a local replica of the sites."""

import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from demo.replica.pages.reddit import CLIENT_ID, CLIENT_SECRET
from demo.replica.server import Replica, running_replica
from demo.replica.settings import CONTACT
from scrapers.sites import SITES
from tests.support.commands import benchloom


def run_command(replica: Replica | None, *arguments: str) -> CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "BENCHLOOM" not in name}
    if replica is not None:
        environment |= {
            "BENCHLOOM_CONTACT": CONTACT,
            "BENCHLOOM_REPLICA": replica.address,
            "BENCHLOOM_DELAY": "0",
            "REDDIT_CLIENT_ID": CLIENT_ID,
            "REDDIT_CLIENT_SECRET": CLIENT_SECRET,
        }
    return benchloom(*arguments, env=environment)


def test_sites_command_shows_evidence_and_crawl_state(tmp_path: Path) -> None:
    with running_replica() as replica:
        run_command(replica, "crawl", "rcuts", "--workspace", str(tmp_path))
    done = run_command(None, "sites", "--workspace", str(tmp_path))
    assert done.returncode == 0
    for site in SITES.all().values():
        line = next(line for line in done.stdout.splitlines() if line.startswith(site.name + " "))
        assert site.evidence in line
        assert site.home in line
        assert ("complete" in line) is (site.name == "rcuts")
    site_list = json.loads(
        run_command(None, "sites", "--workspace", str(tmp_path), "--json").stdout
    )
    assert {entry["name"] for entry in site_list["sites"]} == set(SITES.names())


def test_crawl_download_and_parse_produce_shortcuts(tmp_path: Path) -> None:
    workspace = ("--workspace", str(tmp_path))
    with running_replica() as replica:
        done = run_command(replica, "crawl", "rcuts", "kejicut", "--json", *workspace)
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert summary["listings"] == 21
        assert [site["site"] for site in summary["sites"]] == ["rcuts", "kejicut"]
        done = run_command(replica, "download", "--json", *workspace)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["links"] == 21
    captures = tmp_path / "captures"
    done = run_command(None, "crawl", "rcuts", "--replay", "--captures", str(captures), "--json")
    assert json.loads(done.stdout)["listings"] == 12
    done = run_command(
        None, "parse", "shortcuts", str(captures / "icloud-content"),
        "--out", str(tmp_path / "shortcuts"), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["shortcuts"] >= 19


def test_crawl_all_replays_every_captured_site(tmp_path: Path) -> None:
    with running_replica() as replica:
        run_command(replica, "crawl", "macstories", "sspai", "--workspace", str(tmp_path))
    done = run_command(None, "crawl", "--all", "--replay", "--workspace", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    assert {site["site"] for site in json.loads(done.stdout)["sites"]} == {"macstories", "sspai"}


def test_site_drift_exits_1_and_names_the_capture(tmp_path: Path) -> None:
    with running_replica() as replica:
        replica.faults.add("www.macstories.net", "/", "changed", -1)
        done = run_command(replica, "crawl", "macstories", "--workspace", str(tmp_path))
    assert done.returncode == 1
    assert "capture:sha256:" in done.stderr
    assert "Traceback" not in done.stderr


def test_site_refusal_exits_3(tmp_path: Path) -> None:
    with running_replica() as replica:
        replica.faults.add("www.macstories.net", "/", "challenge", -1)
        done = run_command(replica, "crawl", "macstories", "sspai", "--workspace", str(tmp_path))
        assert done.returncode == 3
        assert "challenge" in done.stderr
        assert "sspai: 20 listings" in done.stdout  # other sites are still crawled
        replica.faults.add("www.icloud.com", "/shortcuts/", "forbidden", -1)
        assert run_command(replica, "download", "--workspace", str(tmp_path)).returncode == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("crawl", "rcuts", "--all"), "--all"),
        (("crawl", "rcuts"), "BENCHLOOM_CONTACT"),
        (("crawl", "rcuts", "--replay"), "never captured"),
    ],
)
def test_wrong_usage_exits_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run_command(None, *arguments, "--workspace", str(tmp_path))
    assert done.returncode == 2, done.stdout
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_replica_runs_as_a_program() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "demo.replica"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("127.0.0.1:")
    output, _ = process.communicate("log\n", timeout=30)
    assert json.loads(output) == []
    assert process.returncode == 0
