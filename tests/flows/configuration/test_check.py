"""Check that `config check` finds every fault together, each with line, key and remedy."""

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
    """Return the path for the configuration, in a folder with all inputs that GOOD names."""
    for name in list(os.environ):
        if name.startswith(("BENCHLOOM_", "REDDIT_", "PREFECT_", "OPENAI_", "HF_")):
            monkeypatch.delenv(name)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "weights.gguf").write_bytes(b"GGUF")
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "me.jsonl").touch()
    return tmp_path / "rebuild.toml"


def configuration_text(
    changes: dict[str, str] | None = None, extra_lines: dict[str, str] | None = None
) -> str:
    """Return the configuration GOOD with changed values and extra lines after some keys."""
    lines, table = [], ""
    for name, value in (GOOD | (changes or {})).items():
        table_name, _, key = name.rpartition(".")
        if table_name != table:
            table = table_name
            lines += ["", f"[{table}]  # a table"]
        lines.append(f"{key} = {value}")
        if extra_lines and name in extra_lines:
            lines.append(extra_lines[name])
    return "\n".join(lines) + "\n"


def line_number(text: str, name: str, key: str | None = None) -> int:
    """Return the line number of a key, or of another key in its table, by a separate search."""
    table_name, _, own_key = name.rpartition(".")
    target_key, table = key or own_key, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            table = line[1:].partition("]")[0]
        elif table == table_name and line.startswith(f"{target_key} = "):
            return number
    raise AssertionError(name)


def test_samples_contain_every_configuration_key(file: Path) -> None:
    assert set(GOOD) == set(WRONG) == {key.name for key in all_keys()}
    file.write_text(configuration_text())
    assert check_configuration(file) == check_configuration(DEMO / "rebuild.toml") == ()
    assert not (file.parent / "out").exists()


def test_all_faults_together_are_one_line_each(file: Path) -> None:
    """The engine address is checked apart, because it is not checked beside an invalid engine."""
    text = configuration_text({name: value for name, (value, _) in WRONG.items()})
    file.write_text(text)
    faults = check_configuration(file)
    file.write_text(configuration_text({"engine.address": WRONG["engine.address"][0]}))
    address_faults = check_configuration(file)
    by_key = {fault.dotted.partition("[")[0]: fault for fault in (*faults, *address_faults)}
    assert by_key.keys() == WRONG.keys()
    assert len(by_key) == len(faults) + len(address_faults)
    assert [fault.line for fault in faults] == sorted(fault.line or 0 for fault in faults)
    for name, fault in by_key.items():
        assert WRONG[name][1] in fault.message
        assert str(fault).startswith(f"{file}:{line_number(text, name)}: ")
        assert len(str(fault)) < len(str(file)) + 700


def test_wrong_types_and_unknown_keys_are_found_everywhere(file: Path) -> None:
    keys = {name: name.rpartition(".")[2] for name in GOOD}
    unknown_keys = {name: f'{key}x = "{SECRET}"' for name, key in keys.items()}
    text = configuration_text(dict.fromkeys(GOOD, "2026-01-01"), unknown_keys)
    file.write_text(text)
    by_line = {fault.line: fault for fault in check_configuration(file)}
    assert SECRET not in "".join(map(str, by_line.values()))
    for name, key in keys.items():
        type_fault = by_line.pop(line_number(text, name))
        assert type_fault.value == "2026-01-01"
        assert type_fault.message.startswith(f"{name}: must be ")
        message = by_line.pop(line_number(text, name, f"{key}x")).message
        assert f"unknown key '{key}x'; did you mean '{key}'?" in message
    assert by_line == {}


def test_every_command_reports_the_same_faults(file: Path, tmp_path: Path) -> None:
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


def test_json_report_contains_details_of_faults(file: Path) -> None:
    file.write_text(f'workers = 0\n[generate]\nmodel = 3\nwriter = "{SECRET}"\n')
    done = benchloom("config", "check", "--config", file, "--json")
    assert SECRET not in done.stdout + done.stderr
    report = msgspec.json.decode(done.stdout)
    first_detail = {"source": str(file), "line": 1, "key": "workers", "value": "0"}
    assert report["details"][0].items() >= first_detail.items()
    assert [detail["value"] for detail in report["details"]] == ["0", "3", None, None]
    assert report["faults"][0] == f"{file}:1: {report['details'][0]['message']}"


def test_environment_faults_are_all_reported(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(configuration_text())
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
    ("steps", "sources", "message"),
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
def test_step_without_its_input_is_a_fault(
    file: Path, steps: list[str], sources: str, message: str
) -> None:
    file.write_text(f'[generate]\nwriter = "template"\nsteps = {steps}\n[sources]\n{sources}\n')
    (fault,) = check_configuration(file)
    assert (fault.line, fault.dotted) == (3, "generate.steps[0]")
    assert message in fault.message


def test_mutually_exclusive_options_are_a_fault(file: Path) -> None:
    file.write_text('[sources]\nsgd = ["here"]\n[sgd]\nmode = "name"\ndrop = ["failed"]\n')
    (fault,) = check_configuration(file)
    assert (fault.line, fault.dotted) == (5, "sgd.drop")


def test_list_entries_have_their_own_line_numbers() -> None:
    text = '[a]\nb = [\n  # none\n  "x", "y",  # ]\n\n  "z"]\n"c.d" = """\ne = 1\n"""\nf.g = 1\n'
    key_lines = KeyLines("\ufeff" + text)
    assert [key_lines.line(("a", "b", i), entry) for i, entry in enumerate("xyz")] == [4, 4, 6]
    assert [key_lines.line(("a", *key)) for key in (("b",), ("c.d",), ("f", "g"))] == [2, 7, 10]
    assert key_lines.line(("a", "unknown")) == 1
    assert key_lines.line(("zz",)) is None


def test_multiline_strings_do_not_shift_line_numbers() -> None:
    key_lines = KeyLines('a = """\n"\\q" = 1\n["\\q"]\n"""\n[b]\nc = 1\n')
    assert key_lines.line(("b", "c")) == 6


def test_unmatched_opt_out_is_a_warning(file: Path, tmp_path: Path, built_release: Path) -> None:
    shortcut_id = pq.read_table(built_release / "shortcuts", columns=["shortcut_id"])[0][0].as_py()
    unmatched_id = "shortcut:sha256:" + "0" * 64
    file.write_text(
        '[sources]\nshortcuts = ["here"]\n'
        f'[crawl]\nopt_out = [\n"{shortcut_id}",\n"{unmatched_id}",\n]\n'
    )
    assert opt_out_warnings(file, tmp_path / "empty") == ()
    workspace = tmp_path / "w"
    (workspace / "releases").mkdir(parents=True)
    (workspace / "releases" / "0.1.0").symlink_to(built_release)
    damaged_table = workspace / "parsed" / "parse-shortcuts-1" / "shortcuts.parquet"
    damaged_table.parent.mkdir(parents=True)
    damaged_table.write_bytes(b"no Parquet")
    older_table = workspace / "parsed" / "parse-shortcuts-0" / "shortcuts.parquet"
    older_table.parent.mkdir()
    pq.write_table(pa.table({"shortcut_id": [None]}), older_table)
    (warning,) = opt_out_warnings(file, workspace)
    assert (warning.line, warning.dotted) == (6, "crawl.opt_out[1]")
    assert f"'{unmatched_id}' matches nothing in" in warning.message
    words = ("config", "check", "--config", file, "--workspace", workspace)
    done = benchloom(*words, "--json")
    assert done.returncode == 0
    assert msgspec.json.decode(done.stdout)["warnings"] == [str(warning)]
    assert f"benchloom: warning: {warning}\n" in done.stderr
    assert benchloom(*words, "--strict").returncode == 1


def test_unwritable_publish_folder_is_a_fault(file: Path, tmp_path: Path) -> None:
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
    ("address", "message"),
    [
        ("s3://", "s3:// contains no bucket; write s3://BUCKET/FOLDER"),
        ("file:///proc/self/status/x", "/proc/self/status is a file, not a folder"),
        ("hf://x", "is not a dataset on the Hub; write hf://datasets/OWNER/NAME"),
    ],
)
def test_invalid_publish_address_is_a_fault(file: Path, address: str, message: str) -> None:
    file.write_text(f'[sources]\nshortcuts = ["here"]\n[publish]\ntargets = ["{address}"]\n')
    (fault,) = check_configuration(file)
    assert message in fault.message


def test_online_check_finds_unwritable_s3_targets(
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


def test_online_check_finds_unwritable_hub_targets(
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
