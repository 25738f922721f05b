"""Check that `benchloom init` writes a configuration that passes the check and can be rebuilt."""

import os
import pty
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import RunError
from demo.replica.settings import CONTACT
from flows.cli import build_app
from flows.commands.init import InitSummary
from flows.configuration import ConfigurationError, read_configuration
from flows.configuration.checks import check_configuration
from tests.support.demo_world import DEMO, SHORTCUTS

KEY = "sk-0123456789abcdef0123456789abcdef"
WITH_A_JUDGE = ("query", "faithfulness")


@pytest.fixture(autouse=True)
def input_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with one shortcut file and remove all environment variables we read."""
    for name in list(os.environ):
        if name.startswith(("BENCHLOOM_", "REDDIT_", "PREFECT_", "OPENAI_", "HF_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    shutil.copy(min(SHORTCUTS.glob("*.shortcut")), tmp_path / "mine")
    return tmp_path


def run_init(*words: str) -> InitSummary:
    done = CliRunner().invoke(build_app(), ["init", "--json", *words])
    assert done.exit_code == 0, done.exception
    return msgspec.json.decode(done.output, type=InitSummary)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (f"--site routinehub --contact {CONTACT}", {"sites": ("routinehub",)}),
        (
            f"--dialogues sgd={DEMO}/sgd --publish out",
            {"sgd": (f"{DEMO}/sgd",), "steps": ("instruction",), "targets": ("out",)},
        ),
        (
            "--shortcuts mine --writer endpoint --free --model mine",
            {"shortcuts": ("mine",), "writer": "llm", "free": True, "model": "mine"},
        ),
        (
            f"--shortcuts mine --title Ours --licence MIT --definitions {DEMO}/definitions",
            {"title": "Ours", "licence": "MIT", "name": None, "steps": ("query",)},
        ),
        (
            f"--shortcuts mine --author Ada --definitions {DEMO}/definitions --writer local",
            {"definitions": (f"{DEMO}/definitions",), "authors": ("Ada",), "writer": "local"},
        ),
        (
            "--shortcuts mine --writer endpoint --base-url http://127.0.0.1:1/v1",
            {"base_url": "http://127.0.0.1:1/v1", "max_usd": None, "steps": WITH_A_JUDGE},
        ),
        (
            "--shortcuts mine --writer endpoint --max-usd 2 --cron '0 4 * * 1'",
            {"writer": "llm", "max_usd": 2.0, "cron": "0 4 * * 1"},
        ),
    ],
)
def test_written_configuration_passes_the_check(
    words: str, keys: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    done = run_init(*shlex.split(words))
    file = Path(done.file)
    assert done.lacking == ()
    assert check_configuration(file) == ()
    configuration = read_configuration(file)
    settings: dict[str, object] = {}
    for table in (
        configuration.sources,
        configuration.generate,
        configuration.crawl,
        configuration.release,
        configuration.publish,
        configuration.schedule,
    ):
        settings |= table.model_dump()
    assert {name: settings[name] for name in keys} == keys
    text = file.read_text()
    assert KEY not in text
    assert text.count("\n# ") > 8


def test_input_paths_are_relative_to_the_configuration_file(input_folder: Path) -> None:
    (input_folder / "project").mkdir()
    shutil.copytree("mine", "project/here")
    file = Path(run_init("project", "--shortcuts", "mine", "--shortcuts", "project/here").file)
    assert read_configuration(file).sources.shortcuts == (str(input_folder / "mine"), "here")


def test_missing_secrets_do_not_prevent_writing() -> None:
    done = run_init(
        "--shortcuts", "mine", "--publish", "hf://datasets/a/b", "--writer", "endpoint", "new/deep"
    )
    assert Path(done.file).is_file()
    assert len(done.lacking) == 2
    assert any("OPENAI_API_KEY" in line for line in done.lacking)
    assert any("HF_TOKEN" in line for line in done.lacking)


def test_existing_file_is_overwritten_only_with_force(input_folder: Path) -> None:
    file = input_folder / "rebuild.toml"
    file.write_text("# mine")
    done = CliRunner().invoke(build_app(), ["init", "--shortcuts", "mine"])
    assert isinstance(done.exception, RunError)
    assert str(done.exception) == "rebuild.toml exists already; --force overwrites it"
    assert file.read_text() == "# mine"
    run_init("--shortcuts", "mine", "--force")
    assert check_configuration(file) == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no input: pass --shortcuts, --definitions, --dialogues or --site"),
        (["--shortcuts", "gone"], "gone: no such file or folder"),
        (["--site", "rutinehub"], "did you mean 'routinehub'?"),
        (["--site", "routinehub"], "a crawl needs a contact"),
        (["--dialogues", "sgd"], "--dialogues sgd: expected NAME=PATH"),
        (["--dialogues", "sdg=mine"], "did you mean 'sgd'?"),
        (["--shortcuts", "mine", "--model", "x"], "need --writer endpoint"),
        (["--shortcuts", "mine", "--cron", "never"], "schedule.cron: 'never'"),
        (
            ["--shortcuts", "mine", "--writer", "endpoint", "--base-url", f"http://u:{KEY}@h/v1"],
            "the address contains a password",
        ),
        (["--shortcuts", "mine", "--writer", "endpoint", "--max-usd", "nan"], "finite number"),
        (["--shortcuts", 'mi"ne\n\x7f'], "no such file or folder"),
        (["--shortcuts", "mi\udcffne"], "not UTF-8"),
    ],
)
def test_invalid_options_are_refused_and_nothing_is_written(
    input_folder: Path, words: list[str], message: str
) -> None:
    before = sorted(input_folder.rglob("*"))
    done = CliRunner().invoke(build_app(), ["init", "new", *words], input="mine\n")
    assert isinstance(done.exception, RunError | ConfigurationError)
    assert message in str(done.exception)
    assert KEY not in str(done.exception)
    assert sorted(input_folder.rglob("*")) == before


def test_terminal_repeats_questions_after_invalid_answers(input_folder: Path) -> None:
    """Run `init` in a pseudo-terminal whose answers are typed in advance."""
    answers = ["gone", "mine", "", "", "", "robot", "none"]
    answers += ["My Set", "my-set", "", "CC-BY-4.0", "Ada Example, Ben Example", "published"]
    toolkit = input_folder / "home" / "Library" / "Shortcuts" / "ToolKit" / "Tools-active"
    toolkit.parent.mkdir(parents=True)
    toolkit.write_bytes(b"SQLite format 3")
    master_fd, slave_fd = pty.openpty()
    os.write(master_fd, "".join(f"{answer}\n" for answer in answers).encode())
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "init"],
        stdin=slave_fd,
        stderr=slave_fd,
        stdout=subprocess.PIPE,
        cwd=input_folder,
        env=os.environ | {"PYTHONPATH": str(DEMO.parent), "HOME": str(input_folder / "home")},
        timeout=300,
        check=False,
    )
    os.close(slave_fd)
    output = os.read(master_fd, 100_000).decode(errors="replace")
    os.close(master_fd)
    assert done.returncode == 0, output
    assert "gone: no such file or folder" in output
    assert "'robot' is not one of none, local, endpoint" in output
    configuration = read_configuration(input_folder / "rebuild.toml")
    assert configuration.sources.shortcuts == ("mine",)
    assert configuration.generate.writer == "template"
    assert configuration.publish.targets == ("published",)
    assert configuration.sources.definitions == ("home/Library/Shortcuts/ToolKit/Tools-active",)
    assert "'My Set' is not a valid name" in output
    assert configuration.release.name == "my-set"
    assert configuration.release.title is None
    assert configuration.release.licence == "CC-BY-4.0"
    assert configuration.release.authors == ("Ada Example", "Ben Example")
