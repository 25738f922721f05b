"""`config check` finds every fault at once, each with its line, its key and what is right."""

import asyncio
import os
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from benchloom.release.publication.targets.filesystem import FileSystemTarget
from benchloom.storage.tables import table_names
from benchloom.worlds.task_kinds import TASK_KINDS
from demo.replica.settings import CONTACT
from flows.cli import build_app
from flows.configuration import ConfigurationError
from flows.configuration.checks import check_configuration, opt_out_warnings, valid_configuration
from flows.configuration.file import KeyLines
from flows.configuration.keys import all_keys
from prompts.results.attempts import repeatable_steps
from prompts.steps import STEPS
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.hub.server import TOKEN, hub_server
from tests.support.stores import s3_environment, s3_server

SECRET = "sk-0123456789abcdef0123456789abcdef"
PRICES = DEMO.parent / "prompts" / "ledger" / "prices.yaml"
KINDS_OF_TASKS = [name.replace("-", "_") for name in TASK_KINDS.names()]
GOOD = {
    "workers": "2",
    "cross_check": "true",
    "version": '"1.0.0"',
    "on_failure": '"true"',
    "sources.shortcuts": f'["{SHORTCUTS}"]',
    "sources.definitions": f'["{DEMO}/definitions"]',
    "sources.captures": '"captures"',
    "sources.multiwoz": '["here"]',
    "sources.sgd": '["here"]',
    "engine.kind": '"dask"',
    "engine.address": '"tcp://127.0.0.1:8786"',
    "generate.steps": '["query", "instruction", "faithfulness"]',
    "generate.requests": '"here/weights.gguf"',
    "generate.personas": '"here/weights.gguf"',
    "generate.writer": '"llm"',
    "generate.model": '"gpt-4o-mini"',
    "generate.model_file": '"here/weights.gguf"',
    "generate.base_url": '"http://127.0.0.1:1/v1"',
    "generate.max_usd": "5.0",
    "generate.prices": f'"{PRICES}"',
    "generate.concurrency": "4",
    "generate.free": "false",
    "generate.batch": "true",
    "generate.reply_tokens": "8000",
    "generate.reasoning_effort": '"low"',
    "generate.every_text": "true",
    "generate.requests_per_minute": "60.0",
    "generate.tokens_per_minute": "60.0",
    "generate.request_fields": "'{\"top_p\": 0.9}'",
    "generate.timeout": "10.0",
    **{
        f"generate.{step}.{name}": value
        for step in STEPS.names()
        for name, value in (
            ("reply_tokens", "8000"),
            ("reasoning_effort", "'low'"),
            ("request_fields", "'{}'"),
            *((("candidates", "3"), ("repair", "true")) if step in repeatable_steps() else ()),
        )
    },
    "tasks.distractors": "3",
    **{
        f"tasks.{kind}.{name}": value
        for kind in KINDS_OF_TASKS
        for name, value in (
            ("suites", '["phone"]' if kind == "shortcut" else '["everyday"]'),
            ("count", "5"),
            ("seed", "1"),
        )
    },
    "review.use": "true",
    "review.answers": '"answers"',
    "crawl.sites": '["routinehub"]',
    "crawl.contact": f'"{CONTACT}"',
    "crawl.opt_out": '["https://h.example/7"]',
    "crawl.include_member_only": "false",
    "crawl.browser_sites": "[]",
    "crawl.delay": "1.0",
    "crawl.jitter": "0.1",
    "crawl.retries": "1",
    "crawl.back_off": "1.0",
    "crawl.longest_wait": "9.0",
    "crawl.timeout": "9.0",
    "crawl.page_bytes": "9000",
    "crawl.scrub_personal_ids": "true",
    "crawl.resume_hours": "9.0",
    "crawl.reddit_client_id": '"me"',
    "crawl.reddit_username": '"me"',
    **{f"expect.{table}": "10" for table in table_names()},
    "expect.drift": "0.5",
    "release.name": '"my-set.v2"',
    "release.title": '"Shortcuts of our team"',
    "release.licence": '"CC-BY-4.0"',
    "release.authors": '["Ada Example", "Ben Example <ben@example.org>"]',
    "release.homepage": '"https://example.org/set"',
    "release.description": '"What we use."',
    "publish.targets": '["out", "memory://out"]',
    "schedule.cron": '"0 4 * * 1"',
    "schedule.timezone": '"Europe/Rome"',
    "multiwoz.mode": '"flow"',
    "multiwoz.drop": '["failed"]',
    "sgd.mode": '"flow"',
    "sgd.drop": '["failed"]',
    "sgd.variant": '"v1"',
}
WRONG = {
    "workers": ("0", "must be greater than or equal to 1, not 0"),
    "cross_check": ('"yes"', 'must be a valid boolean, not "yes"'),
    "on_failure": ('""', 'at least 1 character, not ""'),
    "version": ('"../x"', "'../x' is not a version such as 1.2.3"),
    "sources.shortcuts": ('["here", "gone.zip"]', "gone.zip: no such file or folder"),
    "sources.definitions": ('["~nobody-here/x"]', "~nobody-here/x: no such file or folder"),
    "sources.captures": ('"here/weights.gguf"', "is a file, not a folder"),
    "sources.multiwoz": ('[""]', 'at least 1 character, not ""'),
    "sources.sgd": (f'["{"x" * 5000}"]', "...: File name too long"),
    "engine.kind": ('"dusk"', "unknown engine 'dusk'; did you mean 'dask'?"),
    "engine.address": ('"8786"', "'8786' is not an address such as tcp://127.0.0.1:8786"),
    "generate.steps": ('["query", "instrution"]', "did you mean 'instruction'?"),
    "generate.requests": ('"gone.jsonl"', "gone.jsonl: no such file"),
    "generate.personas": ('"gone.jsonl"', "gone.jsonl: no such file"),
    "generate.writer": ('"me"', "must be 'auto', 'llm', 'local' or 'template', not \"me\""),
    "generate.model": ('""', 'at least 1 character, not ""'),
    "generate.model_file": ('"gone.gguf"', "gone.gguf cannot be read: No such file"),
    "generate.base_url": (
        '"nonsense"',
        "expected the URL of an endpoint, such as http://127.0.0.1:8000/v1",
    ),
    "generate.max_usd": ("-1.0", "must be greater than or equal to 0, not -1.0"),
    "generate.prices": ('"gone.yaml"', "gone.yaml"),
    "generate.free": ('"yes"', 'must be a valid boolean, not "yes"'),
    "generate.reply_tokens": ("15", "must be greater than or equal to 16, not 15"),
    "generate.reasoning_effort": (
        '"long"',
        "must be 'none', 'minimal', 'low', 'medium' or 'high', not \"long\"",
    ),
    "generate.batch": ('"yes"', 'must be a valid boolean, not "yes"'),
    "generate.every_text": ('"yes"', 'must be a valid boolean, not "yes"'),
    "generate.concurrency": ("1025", "must be less than or equal to 1024, not 1025"),
    "generate.requests_per_minute": ("0.0", "must be greater than 0, not 0.0"),
    "generate.tokens_per_minute": ("inf", "must be a finite number, not inf"),
    "generate.request_fields": ('"[1]"', "not a JSON object"),
    "generate.timeout": ("nan", "must be a finite number, not nan"),
    **{f"generate.{step}.reply_tokens": ("15", "or equal to 16, not 15") for step in STEPS.names()},
    **{f"generate.{step}.reasoning_effort": ('"long"', "must be 'none'") for step in STEPS.names()},
    **{
        f"generate.{step}.request_fields": ("'{\"n\": 2}'", "'n' would change what a reply costs")
        for step in STEPS.names()
    },
    **{f"generate.{step}.candidates": ("9", "or equal to 8, not 9") for step in repeatable_steps()},
    **{
        f"generate.{step}.repair": ('"yes"', "must be a valid boolean")
        for step in repeatable_steps()
    },
    "tasks.distractors": ("-1", "must be greater than or equal to 0, not -1"),
    **{
        f"tasks.{kind}.{name}": fault
        for kind in KINDS_OF_TASKS
        for name, fault in (
            ("suites", ('["weekday"]', "unknown suite 'weekday'")),
            ("count", ("0", "must be greater than or equal to 1, not 0")),
            ("seed", ('"x"', 'must be a valid integer, not "x"')),
        )
    },
    "review.use": ('"yes"', 'must be a valid boolean, not "yes"'),
    "review.answers": ('"gone"', "gone"),
    "crawl.sites": ('["rutinehub"]', "did you mean 'routinehub'?"),
    "crawl.contact": ('"me"', "write a URL (https://...) or a mail address"),
    "crawl.opt_out": ('["https://h.example/7", "foo"]', "give the address of a listing"),
    "crawl.include_member_only": ("1", "must be a valid boolean, not 1"),
    "crawl.browser_sites": ('["sspay"]', "did you mean 'sspai'?"),
    "crawl.delay": ("-0.5", "must be greater than or equal to 0, not -0.5"),
    "crawl.jitter": ("1e300", "must be less than or equal to 10000000"),
    "crawl.retries": ("9", "must be less than or equal to 2, not 9"),
    "crawl.back_off": ("inf", "must be a finite number, not inf"),
    "crawl.longest_wait": ("-1.0", "must be greater than or equal to 0, not -1.0"),
    "crawl.timeout": ("0.0", "must be greater than 0, not 0.0"),
    "crawl.page_bytes": ("0", "must be greater than 0, not 0"),
    "crawl.scrub_personal_ids": ("0", "must be a valid boolean, not 0"),
    "crawl.resume_hours": ("1e300", "must be less than or equal to 10000000"),
    "crawl.reddit_client_id": ('""', 'at least 1 character, not ""'),
    "crawl.reddit_username": ('""', 'at least 1 character, not ""'),
    **{f"expect.{table}": ("-1", "greater than or equal to 0") for table in table_names()},
    "expect.drift": ("1.5", "must be less than or equal to 1, not 1.5"),
    "release.name": ('"My Set"', "is not a valid name"),
    "release.title": ('"call +49 170 1234567"', "contains text that a release redacts (phone)"),
    "release.licence": ('" "', "must be one line of printable characters"),
    "release.authors": ('["ben@example.org"]', "write 'Name', or 'Name <mail>'"),
    "release.homepage": ('"ftp://x"', "is not a URL; write one like https://"),
    "release.description": ('"by ada@firm.de"', "contains text that a release redacts (email)"),
    "publish.targets": ('["out", "nowhere://x"]', "known: a folder, "),
    "schedule.cron": ('"never"', "schedule.cron: 'never': "),
    "schedule.timezone": ('"Mars/Olympus"', "schedule.timezone: 'Mars/Olympus': "),
    "multiwoz.mode": ('"nmae"', "must be 'flow'"),
    "multiwoz.drop": ('["faild"]', "must be 'failed'"),
    "sgd.mode": ('"nmae"', "must be 'flow' or 'name'"),
    "sgd.drop": ('["failed", 2]', "must be 'failed'"),
    "sgd.variant": ('"v9"', "should match pattern '^v[1-5]$', not \"v9\""),
}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the configuration goes, with all that the good one names beside it."""
    for name in list(os.environ):
        if name.startswith(("BENCHLOOM_", "REDDIT_", "PREFECT_", "OPENAI_", "HF_")):
            monkeypatch.delenv(name)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "weights.gguf").write_bytes(b"GGUF")
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "me.jsonl").touch()
    return tmp_path / "rebuild.toml"


def written(changes: dict[str, str] | None = None, beside: dict[str, str] | None = None) -> str:
    """The good configuration with some values changed, and further lines behind some keys."""
    lines, table = [], ""
    for name, value in (GOOD | (changes or {})).items():
        above, _, key = name.rpartition(".")
        if above != table:
            table = above
            lines += ["", f"[{table}]  # a table"]
        lines.append(f"{key} = {value}")
        if beside and name in beside:
            lines.append(beside[name])
    return "\n".join(lines) + "\n"


def line_of(text: str, name: str, key: str | None = None) -> int:
    """The line of a key, or of another one in its table; found without what is tested."""
    above, _, own = name.rpartition(".")
    target_key, table = key or own, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            table = line[1:].partition("]")[0]
        elif table == above and line.startswith(f"{target_key} = "):
            return number
    raise AssertionError(name)


def test_the_tables_of_this_test_have_every_key(file: Path) -> None:
    assert set(GOOD) == set(WRONG) == {key.name for key in all_keys()}
    file.write_text(written())
    assert check_configuration(file) == check_configuration(DEMO / "rebuild.toml") == ()
    assert not (file.parent / "out").exists()


def test_all_faults_at_once_are_a_line_each(file: Path) -> None:
    """But for the address of an engine, of which nothing can be said where there is no engine."""
    text = written({name: value for name, (value, _) in WRONG.items()})
    file.write_text(text)
    faults = check_configuration(file)
    file.write_text(written({"engine.address": WRONG["engine.address"][0]}))
    alone = check_configuration(file)
    by_key = {fault.dotted.partition("[")[0]: fault for fault in (*faults, *alone)}
    assert by_key.keys() == WRONG.keys()
    assert len(by_key) == len(faults) + len(alone)
    assert [fault.line for fault in faults] == sorted(fault.line or 0 for fault in faults)
    for name, fault in by_key.items():
        assert WRONG[name][1] in fault.message
        assert str(fault).startswith(f"{file}:{line_of(text, name)}: ")
        assert len(str(fault)) < len(str(file)) + 700


def test_a_wrong_type_and_an_unknown_key_are_found_at_every_key(file: Path) -> None:
    keys = {name: name.rpartition(".")[2] for name in GOOD}
    unknown = {name: f'{key}x = "{SECRET}"' for name, key in keys.items()}
    text = written(dict.fromkeys(GOOD, "2026-01-01"), unknown)
    file.write_text(text)
    by_line = {fault.line: fault for fault in check_configuration(file)}
    assert SECRET not in "".join(map(str, by_line.values()))
    for name, key in keys.items():
        wrong = by_line.pop(line_of(text, name))
        assert wrong.value == "2026-01-01"
        assert wrong.message.startswith(f"{name}: must be ")
        message = by_line.pop(line_of(text, name, f"{key}x")).message
        assert f"unknown key '{key}x'; did you mean '{key}'?" in message
    assert by_line == {}


def test_every_tool_refuses_by_the_same_lines(file: Path, tmp_path: Path) -> None:
    file.write_text('workers = 0\n[sources]\nshortcuts = ["gone"]\n[schedule]\ncron = "never"\n')
    faults = list(map(str, check_configuration(file)))
    assert len(faults) == 3
    with pytest.raises(ConfigurationError) as caught:
        valid_configuration(file)
    assert str(caught.value).splitlines() == faults
    for words in (("config", "check"), ("rebuild",), ("schedule",)):
        arguments = [*words, "--config", str(file), "--workspace", str(tmp_path / "w")]
        done = CliRunner().invoke(build_app(), arguments)
        assert isinstance(done.exception, ConfigurationError), words
        assert str(done.exception).splitlines() == faults
    from flows.rebuild import rebuild

    with pytest.raises(ConfigurationError) as caught:
        asyncio.run(rebuild.fn(file, tmp_path / "w"))
    assert str(caught.value).splitlines() == faults
    assert not (tmp_path / "w" / "releases").exists()


def test_faults_apart_for_other_tools(file: Path) -> None:
    file.write_text(f'workers = 0\n[generate]\nmodel = 3\nwriter = "{SECRET}"\n')
    done = benchloom("config", "check", "--config", file, "--json")
    assert SECRET not in done.stdout + done.stderr
    report = msgspec.json.decode(done.stdout)
    first = {"source": str(file), "line": 1, "key": "workers", "value": "0"}
    assert report["details"][0].items() >= first.items()
    assert [detail["value"] for detail in report["details"]] == ["0", "3", None, None]
    assert report["faults"][0] == f"{file}:1: {report['details'][0]['message']}"


def test_faults_of_the_environment_hide_none_of_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(written())
    monkeypatch.setenv("BENCHLOOM_WORKERS", "four")
    monkeypatch.setenv("BENCHLOOM_PUBLISH__TARGETS", f"out,s3://me:{SECRET}@bucket")
    monkeypatch.setenv("BENCHLOOM_SOURCES__SHORTCUTS", "gone")
    monkeypatch.setenv("BENCHLOOM_SIGN_PASSWORD", "known")
    faults = check_configuration(file)
    assert {fault.source for fault in faults} == {"environment"}
    assert sorted(fault.dotted for fault in faults) == [
        "publish.targets[1]",
        "sources.shortcuts[0]",
        "workers",
    ]
    assert SECRET not in "".join(map(str, faults))


@pytest.mark.parametrize(
    ("steps", "sources", "told"),
    [
        (["instruction"], 'shortcuts = ["here"]', "reads planning_paths, which no source contains"),
        (
            ["query"],
            'sgd = ["here"]',
            "reads shortcuts, which no source contains: set shortcuts or",
        ),
        (
            ["task_dialogue"],
            'sgd = ["here"]',
            "which no source contains: set suites in [tasks.request]",
        ),
        (["faithfulness"], 'sgd = ["here"]', "reads queries, which no earlier step writes"),
        (["dialogue"], 'shortcuts = ["here"]', "reads api_definitions, which no source contains"),
    ],
)
def test_a_step_without_its_input(file: Path, steps: list[str], sources: str, told: str) -> None:
    file.write_text(f'[generate]\nwriter = "template"\nsteps = {steps}\n[sources]\n{sources}\n')
    (fault,) = check_configuration(file)
    assert (fault.line, fault.dotted) == (3, "generate.steps[0]")
    assert told in fault.message


def test_options_that_exclude_each_other(file: Path) -> None:
    file.write_text('[sources]\nsgd = ["here"]\n[sgd]\nmode = "name"\ndrop = ["failed"]\n')
    (fault,) = check_configuration(file)
    assert (fault.line, fault.dotted) == (5, "sgd.drop")


def test_entries_of_long_lists_have_lines_of_their_own() -> None:
    text = '[a]\nb = [\n  # none\n  "x", "y",  # ]\n\n  "z"]\n"c.d" = """\ne = 1\n"""\nf.g = 1\n'
    places = KeyLines("\ufeff" + text)
    assert [places.line(("a", "b", i), entry) for i, entry in enumerate("xyz")] == [4, 4, 6]
    assert [places.line(("a", *key)) for key in (("b",), ("c.d",), ("f", "g"))] == [2, 7, 10]
    assert places.line(("a", "unknown")) == 1
    assert places.line(("zz",)) is None


def test_lines_of_a_text_that_look_like_keys_do_no_harm() -> None:
    places = KeyLines('a = """\n"\\q" = 1\n["\\q"]\n"""\n[b]\nc = 1\n')
    assert places.line(("b", "c")) == 6


def test_an_opt_out_that_matches_nothing_here_is_a_warning(
    file: Path, tmp_path: Path, built_release: Path
) -> None:
    shortcut_id = pq.read_table(built_release / "shortcuts", columns=["shortcut_id"])[0][0].as_py()
    other = "shortcut:sha256:" + "0" * 64
    file.write_text(
        f'[sources]\nshortcuts = ["here"]\n[crawl]\nopt_out = [\n"{shortcut_id}",\n"{other}",\n]\n'
    )
    assert opt_out_warnings(file, tmp_path / "empty") == ()
    workspace = tmp_path / "w"
    (workspace / "releases").mkdir(parents=True)
    (workspace / "releases" / "0.1.0").symlink_to(built_release)
    damaged = workspace / "parsed" / "parse-shortcuts-1" / "shortcuts.parquet"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no Parquet")
    older = workspace / "parsed" / "parse-shortcuts-0" / "shortcuts.parquet"
    older.parent.mkdir()
    pq.write_table(pa.table({"shortcut_id": [None]}), older)
    (doubt,) = opt_out_warnings(file, workspace)
    assert (doubt.line, doubt.dotted) == (6, "crawl.opt_out[1]")
    assert f"'{other}' matches nothing in" in doubt.message
    words = ("config", "check", "--config", file, "--workspace", workspace)
    done = benchloom(*words, "--json")
    assert done.returncode == 0
    assert msgspec.json.decode(done.stdout)["warnings"] == [str(doubt)]
    assert f"benchloom: warning: {doubt}\n" in done.stderr
    assert benchloom(*words, "--strict").returncode == 1


def test_a_folder_that_cannot_be_written(file: Path, tmp_path: Path) -> None:
    file.write_text('[sources]\nshortcuts = ["here"]\n[publish]\ntargets = ["rebuild.toml/x"]\n')
    (fault,) = check_configuration(file)
    assert (fault.line, fault.dotted) == (4, "publish.targets[0]")
    assert "rebuild.toml is a file, not a folder" in fault.message
    file.write_text('[sources]\nshortcuts = ["here"]\n[publish]\ntargets = ["out/deep", "/proc"]\n')
    (fault,) = check_configuration(file, online=True)
    assert (
        "/proc cannot be written" in fault.message or "cannot be written by this" in fault.message
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("s3://", "s3:// contains no bucket; write s3://BUCKET/FOLDER"),
        ("file:///proc/self/status/x", "/proc/self/status is a file, not a folder"),
        ("hf://x", "is not a dataset on the Hub; write hf://datasets/OWNER/NAME"),
    ],
)
def test_an_address_that_names_no_place(file: Path, address: str, told: str) -> None:
    file.write_text(f'[sources]\nshortcuts = ["here"]\n[publish]\ntargets = ["{address}"]\n')
    (fault,) = check_configuration(file)
    assert told in fault.message


def test_a_store_is_asked_whether_it_can_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with s3_server() as address:
        for name, value in s3_environment(address).items():
            monkeypatch.setenv(name, value)
        files = FileSystemTarget("s3://there/data")._files
        files.mkdir("there")
        file.write_text(
            '[sources]\nshortcuts = ["here"]\n'
            '[publish]\ntargets = ["s3://there/data", "s3://not-there/data"]\n'
        )
        assert check_configuration(file) == ()
        (fault,) = check_configuration(file, online=True)
        assert fault.dotted == "publish.targets[1]"
        assert "s3://not-there/data cannot be written" in fault.message
        files.invalidate_cache()
        assert files.find("there") == []


def test_the_hub_is_asked_whether_it_can_be_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(
        '[sources]\nshortcuts = ["here"]\n[publish]\ntargets = ["hf://datasets/people/new"]\n'
    )
    (fault,) = check_configuration(file)
    assert "set HF_TOKEN" in fault.message
    assert fault.outside
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with hub_server() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        assert check_configuration(file, online=True) == ()
        hub.role = "read"
        (fault,) = check_configuration(file, online=True)
        assert "the token in HF_TOKEN lacks write access" in fault.message
        monkeypatch.setenv("HF_TOKEN", "hf_another")
        (fault,) = check_configuration(file, online=True)
        assert "does not accept the token" in fault.message
        assert "hf_another" not in str(fault)
        assert hub.writes() == []
