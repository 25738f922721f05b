"""A rebuild that crawls first and publishes afterwards; neither can lose the release."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pandas as pd
import pytest

from benchloom.release import check_release
from benchmarks.captured_worlds import write_captures
from demo.replica.server import Replica, running_replica
from demo.replica.settings import CONTACT
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment

pytestmark = [pytest.mark.long, pytest.mark.prefect]

CONFIGURATION = """
[crawl]
sites = ["rcuts", "kejicut"]
contact = "{contact}"
opt_out = ["{opt_out}"]
[publish]
targets = ["published", "{other}"]
"""

NO_STORE = {
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_MAX_ATTEMPTS": "1",
}
"""A port at which nothing ever listens."""


@pytest.fixture
def home(tmp_path: Path, prefect_url: str) -> dict[str, str]:
    return clean_environment(tmp_path / "home", prefect_url)


def run(home: dict[str, str], replica: Replica, *words: str, code: int) -> CompletedProcess[str]:
    environment = home | {"BENCHLOOM_REPLICA": replica.address, "BENCHLOOM_DELAY": "0"}
    done = benchloom(*words, env=environment)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_refusal_and_a_lost_target_do_not_lose_the_release(
    tmp_path: Path, home: dict[str, str]
) -> None:
    config, workspace = tmp_path / "rebuild.toml", tmp_path / "w"
    words = ("rebuild", "--config", str(config), "--out", str(workspace), "--json")

    def configure(opt_out: str, other: str) -> None:
        config.write_text(CONFIGURATION.format(contact=CONTACT, opt_out=opt_out, other=other))

    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/", "forbidden", -1)
        configure("https://nobody.example/gone", "memory://elsewhere")
        done = run(home, replica, *words, code=3)
        summary = json.loads(done.stdout)
        assert "www.rcuts.com" in summary["stopped"]
        assert "release 0.1.0 is made and checked, but: rcuts: " in done.stderr
        check_release(Path(summary["release"]))
        # The other site is there, downloaded, listed and joined; the release is published.
        listings = pd.read_parquet(Path(summary["release"]) / "listings")
        assert set(listings.site) == {"kejicut"}
        assert summary["rows"]["shortcuts"] > 0
        assert json.loads((tmp_path / "published" / "latest.json").read_text())["version"] == (
            "0.1.0"
        )
        check_release(tmp_path / "published" / "0.1.0")

        # What was refused comes with the next run; somebody opted out; at one target nobody
        # answers, which no look at the configuration tells.
        replica.faults.clear()
        gone = listings.icloud_id.dropna().iloc[0]
        configure(f"https://www.icloud.com/shortcuts/{gone}", "s3://nobody/there")
        done = run(home | NO_STORE, replica, *words, code=2)
        summary = json.loads(done.stdout)
        assert "s3://nobody/there" in done.stderr
        release = Path(summary["release"])
        listings = pd.read_parquet(release / "listings")
        assert set(listings.site) == {"kejicut", "rcuts"}
        assert gone not in set(listings.icloud_id)
        shortcuts = pd.read_parquet(release / "shortcuts")
        assert not any(gone in ids for ids in shortcuts.icloud_ids)
        published = json.loads((tmp_path / "published" / "latest.json").read_text())["version"]
        assert published == release.name != "0.1.0"


def test_crawl_and_publish_run_alone(tmp_path: Path, home: dict[str, str]) -> None:
    config = tmp_path / "crawl.toml"
    config.write_text(f'[crawl]\ncontact = "{CONTACT}"\n')
    workspace_options = ("--workspace", str(tmp_path / "w"))
    with running_replica() as replica:
        replica.faults.add("www.rcuts.com", "/", "forbidden", -1)
        sites = ("--param", "sites=rcuts", "--param", "sites=kejicut")
        done = run(
            home,
            replica,
            "run",
            "crawl",
            *sites,
            "--param",
            f"config={config}",
            *workspace_options,
            code=3,
        )
        assert "rcuts: " in done.stderr
        assert list((tmp_path / "w" / "captures" / "kejicut").glob("*.warc.gz"))
        done = run(
            home, replica, "run", "publish", "--param", "targets=x", *workspace_options, code=2
        )
        assert "no release" in done.stderr


def test_captures_that_are_damaged_end_a_rebuild_in_one_line(
    tmp_path: Path, home: dict[str, str]
) -> None:
    captures = tmp_path / "captures"
    write_captures(20, captures)
    archive = captures / "icloud" / "icloud-00001.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-100])
    (tmp_path / "rebuild.toml").write_text('[sources]\ncaptures = "captures"\n')
    words = ("rebuild", "--config", tmp_path / "rebuild.toml", "--out", tmp_path / "w")
    done = benchloom(*words, env=home)
    assert done.returncode == 2
    *before, line = done.stderr.splitlines()
    assert line.startswith("benchloom: icloud/icloud-00001.warc.gz at byte ")
    assert all(message.startswith(("benchloom rebuild: ", "read-captures: ")) for message in before)
