"""Tests of input URLs in a configuration: they check offline and online faults."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.configuration import ConfigurationError, read_configuration
from flows.configuration.checks import check_configuration, opt_out_warnings
from flows.doctor.needs import needs_of
from tests.support.commands import benchloom
from tests.support.stores import Bucket, s3_bucket

SECRET = "planted-0123456789"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rebuild.toml"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with s3_bucket() as test_bucket:
        for name, value in test_bucket.env.items():
            monkeypatch.setenv(name, value)
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield test_bucket


def check_text(file: Path, text: str) -> list[str]:
    file.write_text(text)
    return [str(fault) for fault in check_configuration(file)]


def test_urls_are_checked_without_network(file: Path) -> None:
    text = """[sources]
shortcuts = ["s3://bucket/a/", "https://example.org/b.zip", "memory://c"]
definitions = ["s3://bucket/definitions"]
captures = "s3://bucket/captures"
sgd = ["gs-is-a-name"]
"""
    missing = f"{file.parent}/gs-is-a-name: no such file or folder"
    assert check_text(file, text) == [f"{file}:5: sources.sgd[0]: {missing}; check the spelling"]
    configuration = read_configuration(file)
    assert len(configuration.urls()) == 5
    input_paths = configuration.inputs("shortcuts", file.parent, Path("space"))
    assert [path.name for path in input_paths] == ["a", "b.zip", "c"]
    assert all(path.is_relative_to("space/inputs") for path in input_paths)
    captures = configuration.captures(file.parent, Path("space"))
    assert captures is not None
    assert captures.parts[-2:] == ("bucket", "captures")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('shortcuts = ["nosuch://a/b"]', "unknown protocol 'nosuch'; known: file, "),
        ('shortcuts = ["sftp://host/b"]', "paramiko"),
        ('definitions = ["s3://"]', "sources.definitions[0]: s3://: the URL has no bucket"),
        ('shortcuts = ["https://example.org/folder/"]', "a web server cannot list a folder"),
        ('shortcuts = ["s3://bucket/../b"]', "'..' leads out of its folder"),
        ('shortcuts = ["file:///not/there"]', "/not/there: no such file or folder"),
        ('shortcuts = ["file://host/there"]', "write file:///, and an absolute path"),
        ('captures = "s3://"', "sources.captures: s3://: the URL has no bucket"),
        (f'sgd = ["https://h/a.zip?token={SECRET}"]', "the address contains a secret"),
        (f'captures = "s3://me:{SECRET}@b/x"', "the address contains a password"),
        (f'shortcuts = ["https://{SECRET}@h/a.zip"]', "the address contains a secret"),
    ],
)
def test_url_fault_is_one_line_with_its_line_number(file: Path, line: str, fault: str) -> None:
    (message, *other_messages) = check_text(file, f"[sources]\n{line}\n")
    assert other_messages == [] or SECRET in line
    assert message.startswith(f"{file}:2: ")
    assert fault in message
    assert SECRET not in message
    assert "\n" not in message
    assert opt_out_warnings(file, file.parent) == ()


def test_crawl_cannot_write_captures_to_a_url(file: Path) -> None:
    text = '[sources]\ncaptures = "s3://b/x"\n[crawl]\nsites = ["rcuts"]\ncontact = "a@b.example"\n'
    (message,) = check_text(file, text)
    assert "s3://b/x: a crawl cannot write captures to a URL" in message
    for words in (("crawl", "rcuts"), ("download",)):
        done = benchloom(*words, "--config", file, cwd=file.parent)
        assert done.returncode == 2
        assert "s3://b/x is a URL, so a crawl cannot write captures to it" in done.stderr
    done = benchloom("download", "--captures", "s3://b/x", cwd=file.parent)
    assert done.returncode == 2
    assert "is a URL, so a crawl cannot write" in done.stderr
    assert not (file.parent / "s3:").exists()


def test_environment_urls_must_not_contain_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHLOOM_SOURCES__SHORTCUTS", "s3://b/x,https://h/y.zip")
    assert read_configuration(None).urls() == ["s3://b/x", "https://h/y.zip"]
    monkeypatch.setenv("BENCHLOOM_SOURCES__SHORTCUTS", f"https://h/y.zip?sig={SECRET}")
    with pytest.raises(ConfigurationError, match="the address contains a secret") as caught:
        read_configuration(None)
    assert SECRET not in str(caught.value)


def test_online_check_finds_missing_urls(file: Path, bucket: Bucket) -> None:
    bucket.put("there/one", b"1")
    file.write_text(
        f'[sources]\nshortcuts = ["{bucket.url("there")}", "{bucket.url("not-there")}"]\n'
    )
    assert check_configuration(file) == ()
    (fault,) = check_configuration(file, online=True)
    assert fault.dotted == "sources.shortcuts[1]"
    assert "no such bucket, file or folder" in fault.message


def test_init_accepts_urls(tmp_path: Path) -> None:
    done = benchloom("init", tmp_path, "--shortcuts", "s3://bucket/a/", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"] == str(tmp_path / "rebuild.toml")
    assert 'shortcuts = ["s3://bucket/a/"]' in (tmp_path / "rebuild.toml").read_text()


def test_doctor_names_the_extras_that_urls_need(file: Path) -> None:
    file.write_text('[sources]\nshortcuts = ["https://h/a.zip", "file://x"]\nsgd = ["hf://x/y"]\n')
    assert needs_of(file, file.parent).extras == {"s3": "sources", "hub": "sources"}


@pytest.mark.parametrize(
    ("url", "is_outside"), [("nosuch://install/me", False), ("gs://bucket/files", True)]
)
def test_missing_package_is_a_fault_of_the_machine(file: Path, url: str, is_outside: bool) -> None:
    file.write_text(f'[sources]\nshortcuts = ["{url}"]\n')
    (fault,) = check_configuration(file)
    assert fault.outside is is_outside
