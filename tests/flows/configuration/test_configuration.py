"""Tests of `rebuild.toml`: they check types, environment overrides and fault messages."""

import json
import os
import tomllib
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from demo.replica.settings import CONTACT
from flows.configuration import (
    Configuration,
    ConfigurationError,
    crawl_settings,
    read_configuration,
    refuse_old_file,
)
from flows.configuration.checks import check_configuration
from flows.configuration.example import example
from flows.configuration.keys import all_keys
from flows.configuration.table import CrawlOptions
from scrapers.settings import CrawlSettings
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS

EXAMPLE_FILE = DEMO.parent / "docs" / "configuration.toml"
SECRET = "sk-0123456789abcdef"


@pytest.fixture(autouse=True)
def cleared_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("BENCHLOOM_", "REDDIT_", "PREFECT_", "OPENAI_")):
            monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rebuild.toml"


def read_faults(file: Path, text: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(file)
    assert all(fault.source == str(file) and fault.line for fault in caught.value.faults)
    return [fault.message for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[zzz]\na = 1", "unknown key 'zzz'; known: crawl, cross_check, "),
        ('workers = "2"', "workers: must be a valid integer"),
        ("workers = true", "workers: must be a valid integer"),
        ("sources = 3", "sources: must be an object"),
        ('[sources]\nshortcuts = ["a", 1]', "sources.shortcuts[1]: must be a valid string"),
        ('[crawl]\nopt_out = [""]', "crawl.opt_out[0]: '' is not an opt-out"),
        (
            '[crawl]\nopt_out = ["https://h.example/a", "https://www.icloud.com/shortcuts/12"]',
            "crawl.opt_out[1]: 'https://www.icloud.com/shortcuts/12' names no shortcut on iCloud",
        ),
        (
            '[crawl]\nopt_out = ["https://h.example"]',
            "crawl.opt_out[0]: 'https://h.example' names a site, not a listing",
        ),
        (
            '[crawl]\nopt_out = ["shortcut:sha256:12"]',
            "crawl.opt_out[0]: 'shortcut:sha256:12' is not an opt-out",
        ),
        (
            "[generate]\nmax_usd = 1e30",
            "generate.max_usd: must be less than or equal to 1000000000",
        ),
    ],
)
def test_fault_names_its_key_and_the_remedy(file: Path, text: str, fault: str) -> None:
    faults = read_faults(file, text)
    assert len(faults) == 1
    assert faults[0].startswith(fault)


@pytest.mark.parametrize(
    "entry",
    [
        "https://h.example/shortcuts/7",
        "http://h.example/?p=7",
        "https://www.icloud.com/shortcuts/" + "0a" * 16,
        "0A" * 16,
        "0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a",
        "shortcut:sha256:" + "0a" * 32,
    ],
)
def test_every_form_of_opt_out_is_valid(file: Path, entry: str) -> None:
    file.write_text(f'[crawl]\nopt_out = ["{entry}"]\n')
    assert read_configuration(file).crawl.opt_out == (entry,)


@pytest.mark.parametrize(
    "content",
    [
        b"workers =",
        b"workers = 1\nworkers = 2",
        b"a = '\xff'",
        b"a = 2024-13-45",
        b"workers = " + b"9" * 5_000,
        b"a = " + b"[" * 5_000 + b"]" * 5_000,
        b"a = " + b"[" * 100 + b"]" * 100,
        b"[" + b".".join([b"a"] * 5_000) + b"]\nb = 1",
        b"a = " + b"{a = " * 5_000 + b"1" + b"}" * 5_000,
    ],
    ids=lambda content: content[:12].decode(errors="replace"),
)
def test_damaged_file_is_a_one_line_fault(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(RunError, match=r"rebuild\.toml: ") as caught:
        read_configuration(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (f'[crawl]\nreddit_client_secret = "{SECRET}"', "benchloom-reddit-client-secret"),
        (f'openai_api_key = "{SECRET}"', "set OPENAI_API_KEY in the environment"),
        (f'[generate]\napi_key = "{SECRET}"', "benchloom-openai-api-key"),
        (f'[publish]\nhf_token = "{SECRET}"', "HF_TOKEN"),
        (f'[publish.s3]\naws_secret_access_key = "{SECRET}"', "AWS_SECRET_ACCESS_KEY"),
        (f'[publish]\ntargets = ["s3://me:{SECRET}@bucket/x"]', "the address contains a password"),
        (f'[generate]\nbase_url = "https://me:{SECRET}@h/v1"', "the address contains a password"),
    ],
)
def test_secret_in_the_file_is_refused_and_not_repeated(file: Path, text: str, remedy: str) -> None:
    faults = read_faults(file, text)
    assert remedy in faults[0]
    assert SECRET not in "".join(faults)


def test_environment_overrides_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('workers = 3\n[generate]\nmodel = "file"\nsteps = ["query"]\nmax_usd = 5\n')
    monkeypatch.setenv("BENCHLOOM_WORKERS", "4")
    monkeypatch.setenv("BENCHLOOM_GENERATE__MODEL", "environment")
    monkeypatch.setenv("BENCHLOOM_CRAWL__SITES", "sspai, rcuts")
    monkeypatch.setenv("BENCHLOOM_CRAWL__OPT_OUT", '["https://h.example/a,b"]')
    monkeypatch.setenv("BENCHLOOM_CONTACT", CONTACT)
    monkeypatch.setenv("BENCHLOOM_DELAY", "2.5")
    configuration = read_configuration(file)
    assert configuration.workers == 4
    assert (configuration.generate.model, configuration.generate.steps) == (
        "environment",
        ("query",),
    )
    assert (configuration.crawl.sites, configuration.crawl.opt_out) == (
        ("sspai", "rcuts"),
        ("https://h.example/a,b",),
    )
    assert (configuration.crawl.contact, configuration.crawl.delay) == (CONTACT, 2.5)
    monkeypatch.setenv("BENCHLOOM_CRAWL__DELAY", "3")
    monkeypatch.setenv("BENCHLOOM_WORKERS", "")  # an empty variable counts as absent
    configuration = read_configuration(file)
    assert (configuration.crawl.delay, configuration.workers) == (3.0, 3)


def test_crawl_options_match_the_crawl_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert crawl_settings(read_configuration(None).crawl) == CrawlSettings()
    fields = set(CrawlSettings.__struct_fields__) - {"replica", "reddit_client_secret"}
    assert fields | {"sites"} == set(CrawlOptions.model_fields)
    monkeypatch.setenv("REDDIT_CLIENT_ID", "me")
    monkeypatch.setenv("REDDIT_CLIENT_SECRET", SECRET)
    monkeypatch.setenv("BENCHLOOM_REPLICA", "127.0.0.1:1")
    settings = crawl_settings(read_configuration(None).crawl)
    assert (settings.reddit_client_id, settings.reddit_client_secret) == ("me", SECRET)
    assert settings.replica == "127.0.0.1:1"


def test_old_crawl_settings_file_is_refused(tmp_path: Path) -> None:
    refuse_old_file(tmp_path)
    (tmp_path / "crawl.toml").write_text('opt_out = ["x"]\n')
    done = benchloom("crawl", "rcuts", "--workspace", tmp_path, cwd=tmp_path)
    assert done.returncode == 2
    assert r"move its lines under [crawl] in rebuild.toml" in done.stderr
    assert not (tmp_path / "captures").exists()


def test_example_file_is_current_and_valid(tmp_path: Path) -> None:
    text = EXAMPLE_FILE.read_text(encoding="utf-8")
    assert text == example(), "run `benchloom config example > docs/configuration.toml`"
    assert read_configuration(EXAMPLE_FILE) == Configuration()
    full = tmp_path / "full.toml"
    # Set every key; keys and lists without a default are set to their example.
    lines = [line.removeprefix("#") if line[:2] != "# " else line for line in text.splitlines()]
    lines = [
        line.partition(" = ")[0] + " = " + line.partition("# e.g. ")[2]
        if "# e.g. " in line
        else line
        for line in lines
    ]
    full.write_text("\n".join(lines))
    read_configuration(full)
    values = tomllib.loads(full.read_text())
    for key in all_keys():
        value: object = values
        for part in key.path:
            assert isinstance(value, dict)
            value = value[part]
        assert value not in ([], None)
        assert key.description.endswith(".")


def test_faults_of_every_kind_are_found_together(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Secret, type, unknown key, machine and environment faults are one line each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.gguf").write_bytes(b"no weights")
    file.write_text(
        'workers = "2"\nmodle = 1\n'
        '[sources]\nshortcuts = ["gone"]\n'
        '[crawl]\nsites = ["reddit"]\ndelay = 0.5\ncontact = "a@b.example"\n'
        '[engine]\nkind = "local"\naddress = "8786"\n'
        f'[generate]\napi_key = "{SECRET}"\nmodel_file = "w.gguf"\n'
        'model = "nobody-knows"\nmax_usd = 1\n'
        '[publish]\ntargets = ["nowhere://x"]\n'
        '[schedule]\ncron = "every day"\n'
    )
    for name, value in {
        "WROKERS": "2",
        "LOG": "known.sqlite",
        "DELAY": "soon",
        "GENERATE__MODLE": "x",
    }.items():
        monkeypatch.setenv(f"BENCHLOOM_{name}", value)
    faults = list(map(str, check_configuration(file)))
    expected = (
        "1: workers: must be a valid integer",
        "2: unknown key 'modle'",
        "sources.shortcuts[0]: ",
        "delay must be at least",
        "reddit needs REDDIT_CLIENT_ID",
        "engine.address",
        "api_key is a secret",
        "not a GGUF file",
        "generate.max_usd: max_usd cannot be checked",
        "publish.targets[0]: nowhere://x: ",
        "schedule.cron: 'every day': ",
        "BENCHLOOM_WROKERS: this variable sets no key; did you mean 'BENCHLOOM_WORKERS'?",
        "environment: BENCHLOOM_DELAY: ",
        "environment: BENCHLOOM_GENERATE__MODLE: unknown key; did you mean 'model'?",
    )
    for message in expected:
        assert sum(message in fault for fault in faults) == 1, (message, faults)
    assert len(faults) == len(expected)
    assert SECRET not in "".join(faults)


def test_config_show_lists_values_and_origins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rebuild.toml"
    file.write_text(f'workers = 2\n[sources]\nshortcuts = ["{SHORTCUTS}"]\n')
    assert benchloom("config", "check", cwd=tmp_path).returncode == 0
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("BENCHLOOM_CONTACT", CONTACT)
    for words in (("config", "show"), ("config", "show", "--json")):
        done = benchloom(*words, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert SECRET not in done.stdout
    settings = json.loads(done.stdout)
    keys = {line["key"]: line for line in settings["keys"]}
    assert set(keys) == {key.name for key in all_keys()}
    assert (keys["workers"]["value"], keys["workers"]["origin"]) == (2, "file")
    assert keys["crawl.contact"]["origin"] == "environment (BENCHLOOM_CONTACT)"
    assert keys["generate.model"]["origin"] == "default"
    assert settings["secrets"]["OPENAI_API_KEY"] == "set (environment)"
    assert settings["secrets"]["HF_TOKEN"] == "not set"
    file.write_text('workers = 2\nworkerz = 3\n[sources]\nshortcuts = ["gone"]\n')
    done = benchloom("config", "check", "--config", file, "--json")
    assert done.returncode == 2
    faults = msgspec.json.decode(done.stdout)["faults"]
    missing = f"{tmp_path / 'gone'}: no such file or folder"
    assert faults == [
        f"{file}:2: unknown key 'workerz'; did you mean 'workers'?",
        f"{file}:4: sources.shortcuts[0]: {missing}; check the spelling",
    ]
    assert done.stderr == "".join(f"benchloom: {fault}\n" for fault in faults)


def test_review_answers_come_from_workspace_or_named_folder(file: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    for text, folder in (("", workspace / "reviews"), ("answers = 'said'", tmp_path / "said")):
        file.write_text(f"[review]\n{text}\n")
        configuration = read_configuration(file)
        assert configuration.answers(tmp_path, workspace) == (folder if text else None), (
            "a missing folder is ignored"
        )
        folder.mkdir(parents=True)
        assert configuration.answers(tmp_path, workspace) is None, "nobody has answered yet"
        (folder / "ann.jsonl").touch()
        assert configuration.answers(tmp_path, workspace) == folder
    file.write_text("[review]\nuse = false\nanswers = 'said'\n")
    assert read_configuration(file).answers(tmp_path, workspace) is None


def test_damaged_review_answers_are_a_fault(file: Path, tmp_path: Path) -> None:
    file.write_text(f"[sources]\nshortcuts = ['{SHORTCUTS}']\n[review]\nanswers = 'said'\n")
    (tmp_path / "said").mkdir()
    assert check_configuration(file) == ()
    (tmp_path / "said" / "ann.jsonl").write_text('{"query_id": 7}\n')
    (fault,) = check_configuration(file)
    assert "review.answers: " in str(fault)
    assert "line 1 is not an answer of" in str(fault)
