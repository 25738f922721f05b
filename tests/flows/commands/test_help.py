"""Help that hides nothing: whole summaries, exit codes, folders by one name; Tab in shells."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from benchloom import __version__
from flows import cli
from tests.support.commands import benchloom

NARROW = {"COLUMNS": "80", "TERMINAL_WIDTH": "80"}
OTHERS = {
    "apps",
    "calibrate",
    "reasons",
    "download",
    "clean",
    "completions",
    "config",
    "doctor",
    "run",
    "schedule",
    "sites",
} | {"shell-completion"}
"""Commands that the first page lists by name alone."""
COMMANDS = Path(cli.__file__).parent / "commands"


def groups() -> dict[tuple[str, ...], Any]:
    """The program and its groups, by the words that call them."""
    whole: Any = get_command(cli.build_app())
    below = {
        (name,): command for name, command in whole.commands.items() if hasattr(command, "commands")
    }
    return {(): whole, **below}


@pytest.mark.parametrize("words", groups(), ids=" ".join)
def test_summaries_are_whole_on_a_narrow_terminal(words: tuple[str, ...]) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "--help"], env=NARROW).output
    help_text = " ".join(output.split())
    for name, command in groups()[words].commands.items():
        first = " ".join(command.help.split("\n\n")[0].split())
        assert f"{name} {first.partition('. ')[0]}" in help_text or (not words and name in OTHERS)
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "3 stopped by a budget or a site's refusal; 130 interrupted"),
        (("rebuild",), "a gate or [expect] failed; 2 wrong usage or configuration"),
        (("generate",), "1 nothing was kept; 2 wrong usage, configuration or input; 3 the budget"),
        (
            ("parse", "shortcuts"),
            "1 nothing was read; or --strict, and something was rejected; 2 ",
        ),
        (("crawl",), "3 a site or its robots.txt refused"),
        (("release", "check"), "1 a gate failed"),
    ],
)
def test_exit_codes_are_told(words: tuple[str, ...], told: str) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "--help"], env=NARROW).output
    assert told in " ".join(output.split()).partition("Exit codes: 0 done")[2]


def test_a_folder_has_one_name_and_its_older_one_still_works() -> None:
    """`rebuild` shows --workspace alone; commands that use no workspace take it and show none."""
    for path in sorted(COMMANDS.glob("*.py")):
        for command in ast.parse(path.read_bytes()).body:
            if not isinstance(command, ast.FunctionDef):
                continue
            taken = {argument.arg: argument.annotation for argument in command.args.args}
            if isinstance(kind := taken.get("workspace"), ast.Name) and "Workspace" in kind.id:
                used = any(
                    isinstance(node, ast.Name) and node.id == "workspace"
                    for line in command.body
                    for node in ast.walk(line)
                )
                assert (kind.id == "Workspace") == used, (path.name, command.name)
    rebuild = groups()[()].commands["rebuild"]
    assert {
        parameter.name: parameter.hidden
        for parameter in rebuild.params
        if parameter.name in {"out", "workspace"}
    } == {
        "out": True,
        "workspace": False,
    }


def completed(shell: str, *words: str) -> list[str]:
    """Completions that a shell with our script loaded offers after these words."""
    script = CliRunner().invoke(cli.build_app(), ["shell-completion", shell]).output
    program = Path(sys.executable).with_name("benchloom")
    shell_commands = {
        "bash": f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}\n"
        f"_benchloom_completion {program}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        "fish": f"complete --do-complete '{' '.join(words)}' | string split -f1 \\t",
    }[shell]
    process = subprocess.run(
        [shell, "-c", f"PATH={program.parent}:$PATH\n{script}\n{shell_commands}"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert process.stderr == ""
    return process.stdout.split()


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_completes_commands_and_options(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert sorted(completed(shell, "benchloom", "re")) == [
        "reasons",
        "rebuild",
        "release",
        "review",
    ]
    assert completed(shell, "benchloom", "release", "ch") == ["check"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str) -> None:
    """A shell need not be installed: the request that its script sends us is answered."""
    script_result = CliRunner().invoke(cli.build_app(), ["shell-completion", shell])
    assert script_result.exit_code == 0
    assert f"complete_{shell}" in script_result.output
    completion_variables = {
        "_BENCHLOOM_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "benchloom config c",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": "benchloom config c",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = benchloom(env=completion_variables)
    assert done.returncode == 0
    assert "check" in done.stdout
    assert "show" not in done.stdout


def test_another_shell_is_refused() -> None:
    done = benchloom("shell-completion", "tcsh")
    assert done.returncode == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in done.stderr


def pages() -> dict[tuple[str, ...], Any]:
    """Every command and group, by the words that call it."""
    commands_by_words: dict[tuple[str, ...], Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        commands_by_words[words] = command
        for name, below in getattr(command, "commands", {}).items():
            walk(below, (*words, name))

    walk(get_command(cli.build_app()), ())
    return commands_by_words


@pytest.mark.parametrize("words", pages(), ids=" ".join)
def test_a_page_has_two_examples_and_fits_a_screen(words: tuple[str, ...]) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "-h"], env=NARROW).output
    assert output.startswith("Usage: benchloom")
    assert re.findall(r"\\[a-z]\b|[\x00-\x09\x0b-\x1f]", output) == [], "an escape"
    assert len(output.splitlines()) <= 30
    assert "  Also:" in output
    if words:
        below = output.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
        examples = [line for line in below if not line.startswith("  Also:")]
        assert len(examples) == 2
        assert all("benchloom" in line for line in examples)


def test_further_options_are_listed_when_asked_for() -> None:
    usual = CliRunner().invoke(cli.build_app(), ["generate", "-h"], env=NARROW).output
    whole = CliRunner().invoke(cli.build_app(), ["generate", "--help-all"], env=NARROW).output
    assert re.search(r"--help-all +List \d+ more options", usual)
    assert "--tpm X" in whole
    assert "--tpm" not in usual


def test_the_version_and_progress_have_short_names() -> None:
    assert benchloom("-V").stdout == benchloom("--version").stdout == f"benchloom {__version__}\n"
    quiet = benchloom("doctor", "-q")
    assert quiet.stderr == ""
    assert quiet.stdout


def test_a_wrong_word_is_answered_by_the_nearest() -> None:
    for words, nearest in ((("relase",), "release"), (("release", "chekc"), "check")):
        done = benchloom(*words)
        assert done.returncode == 2
        assert f"Did you mean '{nearest}'" in done.stderr
    assert "--format" in benchloom("release", "export", "--fromat", "trl", "--out", "x").stderr


def test_an_error_shows_its_traceback_only_when_asked(tmp_path: Path) -> None:
    words = ("release", "list", "--workspace", tmp_path / "none")
    assert "Traceback" not in benchloom("release", "check", *words[2:]).stderr
    assert "Traceback" in benchloom("-v", "release", "check", *words[2:]).stderr
