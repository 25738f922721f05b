"""Check publishing to the Hugging Face Hub with its own client, against a stand-in on loopback."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pandas as pd
import pytest
from huggingface_hub import constants

from benchloom.core.errors import GateError, RunError, StoppedError
from benchloom.release import read_manifest
from benchloom.release.manifest import MANIFEST, write_manifest
from benchloom.release.publication import Step, open_target, plan_publication, publish
from tests.support import commands
from tests.support.demo_world import SHORTCUTS
from tests.support.folders import contents
from tests.support.hub.repository import Repository
from tests.support.hub.server import TOKEN, Fault, Hub, hub_server
from tests.support.python import python
from tests.support.samples.small_release import small_release, with_citation
from tests.support.shortcut_stages import build

# The client passes files to its HTTP library in a way that the library has deprecated.
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),
]

NAME = "people/shortcuts"
URL = f"hf://datasets/{NAME}"
WHOAMI = "GET /api/whoami-v2"


def copy_as_version(release: Path, folder: Path) -> Path:
    """Copy a release under the version that the new folder is named after."""
    shutil.copytree(release, folder)
    manifest = read_manifest(folder)
    renamed = msgspec.structs.replace(manifest, version=folder.name)
    write_manifest(folder, with_citation(folder, renamed))
    return folder


@pytest.fixture(scope="module")
def releases(built_release: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return release 0.1.0, and release 0.2.0, which has no rejected rows and so fewer files."""
    workspace = tmp_path_factory.mktemp("workspace")
    first = shutil.copytree(built_release, workspace / "first" / built_release.name)
    second = build(sorted(SHORTCUTS.glob("*.shortcut")), workspace / "second")
    return first, copy_as_version(second, workspace / "0.2.0")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of one table, for tests that do not depend on the files."""
    return small_release(tmp_path_factory.mktemp("small"))


@contextmanager
def isolated_hub(home: Path) -> Iterator[Hub]:
    """Start a Hub that the client in this process uses, without any settings of this machine."""
    with pytest.MonkeyPatch.context() as patched, hub_server() as server:
        patched.setattr(constants, "HF_HUB_DISABLE_XET", True)
        for name in [name for name in os.environ if name.startswith("HF_")]:
            patched.delenv(name)
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            patched.delenv(name, raising=False)
        patched.setenv("HF_ENDPOINT", server.address)
        patched.setenv("HF_TOKEN", TOKEN)
        patched.setenv("HF_HOME", str(home))
        yield server
        assert server.leaks == []


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with isolated_hub(tmp_path / "hf") as server:
        yield server


@pytest.fixture(scope="module")
def published_hubs(
    releases: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Hub, Hub]:
    """Return two Hubs with their request logs, each after the publication of one release."""
    with isolated_hub(tmp_path_factory.mktemp("first")) as first:
        publish(releases[0], open_target(URL))
    with isolated_hub(tmp_path_factory.mktemp("second")) as second:
        publish(releases[1], open_target(URL))
    return first, second


def copy_state(hub: Hub, source: Hub) -> None:
    """Copy the commits, tags, files and request log of another Hub."""
    assert source.repositories[NAME].tags
    hub.repositories.update(deepcopy(source.repositories))
    hub.log.extend(source.log)


def files_at(hub: Hub, revision: str = "main") -> dict[str, bytes]:
    """Return the files of a revision, without the file that the Hub adds."""
    tree = hub.repositories[NAME].tree(revision)
    return {path: blob.content for path, blob in tree.items() if path != ".gitattributes"}


def benchloom(*arguments: str, change: dict[str, str] | None = None) -> CompletedProcess[str]:
    return commands.benchloom(*arguments, env=os.environ | (change or {}))


def test_release_becomes_one_commit_with_a_tag(hub: Hub, releases: tuple[Path, Path]) -> None:
    reported: list[Step] = []
    steps = publish(releases[0], open_target(URL), reported.append)
    assert {step.action for step in steps} == {"send"}
    assert steps[-1].path == MANIFEST
    assert sorted(reported, key=repr) == sorted(steps, key=repr)
    repository = hub.repositories[NAME]
    assert repository.private
    assert repository.titles == ["initial commit", "Release 0.1.0"]
    assert repository.tags == {"v0.1.0": repository.main}
    assert files_at(hub, "v0.1.0") == contents(releases[0])
    assert len(hub.stored()) > 10
    assert any("/store/" in line and "/part/" in line for line in hub.log)


def test_second_publication_sends_nothing(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub]
) -> None:
    copy_state(hub, published_hubs[0])
    before = len(hub.writes())
    assert {step.action for step in publish(releases[0], open_target(URL))} == {"keep"}
    assert len(hub.writes()) == before


def test_next_release_replaces_files_of_the_previous_release(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub]
) -> None:
    copy_state(hub, published_hubs[0])
    repository = hub.repositories[NAME]
    lines = b'{"key":"header","value":{"summary":"by hand"}}\n'
    lines += b'{"key":"file","value":{"path":"notes/hand.md","content":"aGk="}}\n'
    repository.commit(lines)
    steps = publish(releases[1], open_target(URL))
    removed = {step.path for step in steps if step.action == "remove"}
    unchanged_paths = {step.path for step in steps if step.action == "keep"}
    assert removed == contents(releases[0]).keys() - contents(releases[1]).keys()
    assert removed
    assert unchanged_paths
    assert files_at(hub) == {**contents(releases[1]), "notes/hand.md": b"hi"}
    assert files_at(hub, "v0.1.0") == contents(releases[0])
    assert repository.titles[-1] == "Release 0.2.0"
    assert set(Counter(hub.stored()).values()) == {1}


def test_dry_run_of_hub_publication_sends_nothing(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub]
) -> None:
    done = benchloom("release", "publish", str(releases[0]), "--to", URL, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["sent"], summary["kept"]) == (len(contents(releases[0])), 0)
    assert hub.repositories == {}
    copy_state(hub, published_hubs[0])
    before = len(hub.log)
    done = benchloom("release", "publish", str(releases[1]), "--to", URL, "--dry-run", "--json")
    summary = json.loads(done.stdout)
    assert summary["removed"] > 0
    assert summary["kept"] > 0
    assert hub.log[before:]
    assert all(line.startswith(("GET ", "HEAD ")) for line in hub.log[before:])
    assert files_at(hub) == contents(releases[0])


LOAD_DATASET = """
import json, sys
def only_loopback(event, arguments):
    if event == "socket.connect" and arguments[1][0] not in ("127.0.0.1", "localhost"):
        raise RuntimeError(f"outside: {arguments[1]}")
    if event == "socket.getaddrinfo" and arguments[0] not in ("127.0.0.1", "localhost"):
        raise RuntimeError(f"outside: {arguments[0]}")
sys.addaudithook(only_loopback)
import datasets
splits = datasets.load_dataset(sys.argv[1], "shortcuts", **json.loads(sys.argv[2]))
columns = ["shortcut_id", "actions"]
records = {split: rows.select_columns(columns).to_list() for split, rows in splits.items()}
json.dump(records, sys.stdout)
"""


@pytest.mark.parametrize("pinned", [None, "v0.1.0"])
def test_load_dataset_reads_the_published_release(
    hub: Hub,
    releases: tuple[Path, Path],
    published_hubs: tuple[Hub, Hub],
    tmp_path: Path,
    pinned: str | None,
) -> None:
    copy_state(hub, published_hubs[0])
    if pinned:
        publish(releases[1], open_target(URL))
    home = {"HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
    quiet = {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    options = {"revision": pinned} if pinned else {}
    arguments = ("-c", LOAD_DATASET, NAME, json.dumps(options))
    done = python(*arguments, cwd=tmp_path, env=os.environ | home | quiet)
    rows_by_split = json.loads(done.stdout)
    expected = pd.read_parquet(releases[0] / "shortcuts")
    assert set(rows_by_split) == set(expected.split)
    for split, rows in rows_by_split.items():
        expected_rows = expected[expected.split == split]
        assert [row["shortcut_id"] for row in rows] == list(expected_rows.shortcut_id)
        assert [len(row["actions"]) for row in rows] == list(expected_rows.action_count)


def test_killed_publication_stays_invisible_until_completed(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub], tmp_path: Path
) -> None:
    copy_state(hub, published_hubs[1])
    later = copy_as_version(releases[0], tmp_path / "0.3.0")
    earlier = len(hub.stored())
    hub.faults.append(Fault("PUT /store/", "hold", times=99, after=6))
    command = [sys.executable, "-m", "flows.cli", "release", "publish", str(later), "--to", URL]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(hub.stored()) < earlier + 2:
        assert time.monotonic() < deadline, run.poll()
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait(timeout=30)
    sent_blobs = set(hub.stored()[earlier:])
    assert sent_blobs
    assert files_at(hub) == contents(releases[1])
    assert hub.repositories[NAME].tags.keys() == {"v0.2.0"}
    hub.faults.clear()
    publish(later, open_target(URL))
    assert files_at(hub, "v0.3.0") == files_at(hub) == contents(later)
    assert sent_blobs < set(hub.stored())
    assert set(Counter(hub.stored()).values()) == {1}


@pytest.mark.parametrize(
    ("request_line", "is_committed"),
    [
        ("POST /api/repos/create", False),
        (f"POST /api/datasets/{NAME}/preupload/", False),
        (f"POST /api/datasets/{NAME}/commit/", False),
        (f"GET /api/datasets/{NAME}/tree/", True),
        (f"POST /api/datasets/{NAME}/tag/", True),
    ],
)
def test_publication_refused_at_any_request_can_be_resumed(
    hub: Hub, small: Path, request_line: str, is_committed: bool
) -> None:
    # The tree is read once before the commit, so the fault begins at the second reading.
    hub.faults.append(
        Fault(request_line, "403", times=1, after=1 if "/tree/" in request_line else 0)
    )
    with pytest.raises(RunError, match=r"403"):
        publish(small, open_target(URL))
    if NAME in hub.repositories:
        assert hub.repositories[NAME].tags == {}
        assert bool(files_at(hub)) == is_committed
    publish(small, open_target(URL))
    assert files_at(hub, "v0.1.0") == contents(small)
    assert hub.repositories[NAME].titles == ["initial commit", "Release 0.1.0"]
    assert set(Counter(hub.stored()).values()) == {1}


@pytest.mark.parametrize("kind", ["500", "cut"])
def test_client_retries_a_fault_of_the_store(
    hub: Hub, releases: tuple[Path, Path], kind: str
) -> None:
    hub.faults.append(Fault("PUT /store/", kind, times=1, after=3))
    publish(releases[0], open_target(URL))
    assert files_at(hub, "v0.1.0") == contents(releases[0])


def test_failing_hub_stops_the_publication(hub: Hub, small: Path) -> None:
    hub.faults.append(Fault(f"POST /api/datasets/{NAME}/commit/", "503"))
    with pytest.raises(StoppedError, match=r"503; sent files remain on the Hub; publish again"):
        publish(small, open_target(URL))
    hub.faults.append(Fault(f"POST /api/datasets/{NAME}/commit/", "cut"))
    with pytest.raises(StoppedError, match="publish again"):
        publish(small, open_target(URL))
    publish(small, open_target(URL))
    assert files_at(hub, "v0.1.0") == contents(small)


def test_damaged_upload_is_found_before_the_tag_is_set(
    hub: Hub, releases: tuple[Path, Path]
) -> None:
    hub.spoil = lambda content: content[:-1] + b"?"
    with pytest.raises(GateError, match="upload failed, no tag was set") as caught:
        publish(releases[0], open_target(URL))
    assert (
        "shortcuts/train-00000-of-00001.parquet: the digest of the sent file differs"
        in caught.value.findings
    )
    assert not any("README.md" in finding for finding in caught.value.findings)
    assert hub.repositories[NAME].tags == {}


@pytest.mark.parametrize("tagged", [True, False])
def test_changed_release_of_a_published_version_is_refused(
    hub: Hub,
    releases: tuple[Path, Path],
    published_hubs: tuple[Hub, Hub],
    tmp_path: Path,
    tagged: bool,
) -> None:
    copy_state(hub, published_hubs[0])
    if not tagged:
        hub.repositories[NAME].tags.clear()
    changed = copy_as_version(releases[1], tmp_path / "0.1.0")
    before = len(hub.writes())
    with pytest.raises(GateError, match=r"0\.1\.0 is already published with") as caught:
        publish(changed, open_target(URL))
    assert caught.value.findings[0] == "manifest.json: releases are never changed"
    assert len(hub.writes()) == before


def test_older_release_is_not_published_over_a_newer_one(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub]
) -> None:
    copy_state(hub, published_hubs[1])
    with pytest.raises(GateError, match=r"the newer release 0\.2\.0 is already published"):
        plan_publication(releases[0], open_target(URL))


def test_repository_with_a_foreign_manifest_is_not_changed(hub: Hub, small: Path) -> None:
    hub.repositories[NAME] = Repository(NAME, private=False)
    lines = b'{"key":"header","value":{"summary":"a program"}}\n'
    lines += b'{"key":"file","value":{"path":"manifest.json","content":"e30="}}\n'
    hub.repositories[NAME].commit(lines)
    before = len(hub.writes())
    with pytest.raises(GateError, match="has other files"):
        publish(small, open_target(URL))
    assert len(hub.writes()) == before


def test_commit_by_others_during_publication_is_noticed(
    hub: Hub, releases: tuple[Path, Path], published_hubs: tuple[Hub, Hub]
) -> None:
    target = open_target(URL)
    copy_state(hub, published_hubs[0])
    repository = hub.repositories[NAME]
    steps: list[Step] = []

    def commit_once(step: Step) -> None:
        if not steps:
            repository.commit(b'{"key":"header","value":{"summary":"by hand"}}\n')
        steps.append(step)

    with pytest.raises(RunError, match="changed during publishing"):
        publish(releases[1], target, commit_once)
    assert files_at(hub) == contents(releases[0])


@pytest.mark.parametrize("status", ["401", "403", "500"])
def test_message_of_a_refusal_never_contains_the_token(hub: Hub, small: Path, status: str) -> None:
    hub.faults.append(Fault(f"GET /api/datasets/{NAME}/refs", status, times=9))
    done = benchloom("release", "publish", str(small), "--to", URL)
    assert done.returncode == (3 if status == "500" else 2)
    assert f"{URL}: " in done.stderr
    assert status in done.stderr
    assert TOKEN not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def copy_damaged(release: Path, folder: Path) -> Path:
    """Copy a release with a changed README.md, which its gates must find, and return the folder."""
    shutil.copytree(release, folder)
    (folder / "README.md").write_text("changed", encoding="utf-8")
    return folder


@pytest.mark.parametrize("planned", [True, False])
def test_wrong_token_is_reported_before_the_gates_run(
    hub: Hub,
    small: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    planned: bool,
) -> None:
    release = copy_damaged(small, tmp_path / "0.1.0")
    publish_or_plan = plan_publication if planned else publish
    with pytest.raises(GateError):
        publish_or_plan(release, open_target(URL))
    hub.log.clear()
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    with pytest.raises(RunError, match="the Hub does not accept the token in HF_TOKEN") as caught:
        publish_or_plan(release, open_target(URL))
    assert hub.log == [WHOAMI]
    assert "hf_wrong" not in str(caught.value)


def test_wrong_token_gives_the_same_message_at_any_request(hub: Hub, small: Path) -> None:
    errors: list[RunError] = []
    for line in (WHOAMI, f"GET /api/datasets/{NAME}/refs"):
        hub.faults.append(Fault(line, "401"))
        with pytest.raises(RunError) as caught:
            publish(small, open_target(URL))
        errors.append(caught.value)
    assert str(errors[0]) == str(errors[1])
    assert type(errors[0]) is type(errors[1])
    assert "401" in str(errors[0])
    assert TOKEN not in str(errors[0])


@pytest.mark.parametrize("kind", ["403", "404", "429", "500", "cut"])
def test_publication_does_not_need_the_whoami_request(hub: Hub, small: Path, kind: str) -> None:
    hub.faults.append(Fault(WHOAMI, kind, times=9))
    publish(small, open_target(URL))
    assert hub.log[0] == WHOAMI
    assert files_at(hub, "v0.1.0") == contents(small)


@pytest.mark.parametrize("change", [{"HF_ENDPOINT": "http://127.0.0.1:9"}, {"HF_HUB_OFFLINE": "1"}])
def test_gates_run_before_an_unreachable_hub_is_reported(
    hub: Hub, small: Path, tmp_path: Path, change: dict[str, str]
) -> None:
    release = copy_damaged(small, tmp_path / "0.1.0")
    done = benchloom("release", "publish", str(release), "--to", URL, change=change)
    assert done.returncode == 1, done.stderr
    assert "README.md" in done.stderr
    done = benchloom("release", "publish", str(small), "--to", URL, change=change)
    assert done.returncode == 3, done.stderr
    assert hub.log == []


@pytest.mark.parametrize(
    ("token", "message"),
    [("", "set HF_TOKEN"), ("  ", "set HF_TOKEN"), ("hf_a\nb", "contains characters")],
)
def test_missing_or_malformed_token_is_reported(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, token: str, message: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(RunError, match=message) as caught:
        open_target(URL)
    assert "hf_a" not in str(caught.value)
    assert hub.log == []


def test_missing_hub_client_is_reported(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(RunError, match="extra 'hub'"):
        open_target(URL)
    assert hub.log == []


@pytest.mark.parametrize(
    "url",
    [
        "hf://people/shortcuts",
        "hf://datasets/people",
        "hf://datasets/a/b/c",
        "hf://datasets/a/b@v1",
    ],
)
def test_url_that_names_no_dataset_is_refused(hub: Hub, url: str) -> None:
    with pytest.raises(RunError, match="hf://datasets/OWNER/NAME"):
        open_target(url)
    assert hub.log == []


@pytest.mark.parametrize("address", ["no-address", "http://[x"])
def test_unreachable_hub_is_reported_in_the_last_line(hub: Hub, small: Path, address: str) -> None:
    done = benchloom("release", "publish", str(small), "--to", URL, change={"HF_ENDPOINT": address})
    assert done.returncode in (2, 3)
    # On a busy machine, progress lines come before the error.
    assert done.stderr.splitlines()[-1].startswith(f"benchloom: {URL}: ")
    assert "Traceback" not in done.stderr
    assert hub.log == []
