"""Check that stages read the same inputs from URLs as from folders, and write the same bytes."""

import shutil
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage.workspace import read_mark, workspace_lock
from flows.engine.single import bind
from scrapers.mirrors import fetched, read_here
from scrapers.sites import file_folders
from tests.support.captured_tables import build_listings
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.prefect_server import clean_environment
from tests.support.replica_crawls import WholeCrawl
from tests.support.stores import SECRET, Bucket, Page, WebServer


def put_folder(bucket: Bucket, folder: Path, name: str) -> str:
    files = (path for path in folder.rglob("*") if path.is_file())
    bucket.put_all({f"{name}/{path.relative_to(folder)}": path.read_bytes() for path in files})
    return bucket.url(name)


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (("parse", "shortcuts"), SHORTCUTS),
        (("parse", "definitions"), DEMO / "data" / "definitions"),
        (("convert", "sgd"), DEMO / "sgd"),
    ],
    ids=["shortcuts", "definitions", "sgd"],
)
def test_command_gives_equal_results_for_url_and_folder(
    bucket: Bucket, tmp_path: Path, words: tuple[str, ...], folder: Path
) -> None:
    url = put_folder(bucket, folder, f"data/{folder.name}")
    env = clean_environment(tmp_path / "home") | bucket.env
    space = tmp_path / "space"
    for source, out in ((folder, "local"), (url, "remote")):
        completed = benchloom(
            *words, source, "--out", tmp_path / out, "--workspace", space, env=env, cwd=tmp_path
        )
        assert completed.returncode == 0, completed.stderr
        assert space.exists() is (out == "remote")
    mark = read_mark(tmp_path / "remote")
    assert mark is not None
    assert mark == read_mark(tmp_path / "local")
    assert SECRET not in completed.stdout + completed.stderr


def test_remote_inputs_are_named_like_local_folders(
    bucket: Bucket, web: WebServer, tmp_path: Path
) -> None:
    for name in ("a/files", "b/files"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        shutil.copy(SHORTCUTS / "count-the-words.json", folder)
    remote_inputs = [
        put_folder(bucket, tmp_path / "a/files", "a/files"),
        f"file://{tmp_path}/b/files",
    ]
    web.pages["/c/set.zip"] = Page(b"no archive", etag="1")
    remote_inputs.append(f"{web.address}/c/set.zip?sig=planted")
    (tmp_path / "c").mkdir()
    (tmp_path / "c/set.zip").write_bytes(b"no archive")
    local_inputs = [str(tmp_path / name) for name in ("a/files", "b/files", "c/set.zip")]
    env = clean_environment(tmp_path / "home") | bucket.env
    marks = []
    for inputs, out in ((local_inputs, "local"), (remote_inputs, "remote")):
        words = ("parse", "shortcuts", *inputs, "--out", tmp_path / out)
        completed = benchloom(*words, env=env, cwd=tmp_path)
        assert completed.returncode == 0, completed.stderr
        marks.append(read_mark(tmp_path / out))
    assert marks[0] == marks[1] != None  # noqa: E711  one comparison checks that both are equal and set
    assert "planted" not in completed.stdout + completed.stderr
    assert "set.zip?..." in completed.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if b"planted" in path.read_bytes()] == []


@pytest.mark.long
def test_captures_at_a_url_give_equal_listings(
    bucket: Bucket, whole_crawl: WholeCrawl, tmp_path: Path
) -> None:
    url = put_folder(bucket, whole_crawl.captures, "captures")
    (mirror_folder,) = fetched([url], tmp_path)
    expected = build_listings(whole_crawl.captures, tmp_path / "local", whole_crawl.settings)
    remote_mark = build_listings(mirror_folder, tmp_path / "remote", whole_crawl.settings)
    assert remote_mark.key == expected.key
    assert read_mark(tmp_path / "remote") == read_mark(tmp_path / "local")
    names = [path.name for path in file_folders(whole_crawl.captures)]
    assert [path.name for path in file_folders(mirror_folder)] == names != []


def test_faults_of_remote_inputs_end_in_one_line(bucket: Bucket, tmp_path: Path) -> None:
    env = clean_environment(tmp_path / "home") | bucket.env
    for url, message in (
        (bucket.url("nothing"), "no such bucket, file or folder"),
        ("nosuch://a", "unknown protocol 'nosuch'"),
        ("https://me:planted@h/a.zip", "https://...@h/a.zip: a URL must not contain a password"),
    ):
        completed = benchloom(
            "parse", "shortcuts", url, "--out", tmp_path / "out", env=env, cwd=tmp_path
        )
        assert completed.returncode == 2
        (error_line,) = [
            line for line in completed.stderr.splitlines() if line.startswith("benchloom: ")
        ]
        assert message in error_line
        assert "Traceback" not in completed.stderr
        assert "planted" not in completed.stderr
        assert not (tmp_path / "out").exists()


def test_mirrors_have_one_writer(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put("one/a", b"1")
    with (
        workspace_lock(tmp_path),
        pytest.raises(RunError, match="another run is writing here"),
        read_here([bucket.url("one")], tmp_path),
    ):
        pass
    with workspace_lock(tmp_path), read_here([str(tmp_path)], tmp_path) as paths:
        assert paths == [tmp_path]


def test_flow_parameters_accept_urls_without_secrets(tmp_path: Path) -> None:
    call = bind("parse", ["inputs=s3://bucket/a", "inputs=/b"], tmp_path)
    assert call.keywords["inputs"] == ["s3://bucket/a", Path("/b")]  # type: ignore[attr-defined]  # the call is a partial
    with pytest.raises(RunError, match="the URL may contain a secret") as caught:
        bind("parse", ["inputs=https://h/a.zip?sig=planted"], tmp_path)
    assert "planted" not in str(caught.value)
