"""Tests of the help pages and of shell completion: they check summaries, options and examples."""

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
LISTED_BY_NAME = {
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
    """Return the program and its command groups, by the words that call them."""
    program: Any = get_command(cli.build_app())
    groups_by_words = {
        (name,): command
        for name, command in program.commands.items()
        if hasattr(command, "commands")
    }
    return {(): program, **groups_by_words}


@pytest.mark.parametrize("words", groups(), ids=" ".join)
def test_summaries_are_complete_on_a_narrow_terminal(words: tuple[str, ...]) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "--help"], env=NARROW).output
    help_text = " ".join(output.split())
    for name, command in groups()[words].commands.items():
        summary = " ".join(command.help.split("\n\n")[0].split())
        assert f"{name} {summary.partition('. ')[0]}" in help_text or (
            not words and name in LISTED_BY_NAME
        )
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "exit_code_text"),
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
def test_help_lists_exit_codes(words: tuple[str, ...], exit_code_text: str) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "--help"], env=NARROW).output
    assert exit_code_text in " ".join(output.split()).partition("Exit codes: 0 done")[2]


def test_workspace_option_replaces_the_hidden_older_option() -> None:
    """`rebuild` shows --workspace only; commands without a workspace accept and hide the option."""
    for path in sorted(COMMANDS.glob("*.py")):
        for command in ast.parse(path.read_bytes()).body:
            if not isinstance(command, ast.FunctionDef):
                continue
            annotations = {argument.arg: argument.annotation for argument in command.args.args}
            if (
                isinstance(annotation := annotations.get("workspace"), ast.Name)
                and "Workspace" in annotation.id
            ):
                uses_workspace = any(
                    isinstance(node, ast.Name) and node.id == "workspace"
                    for line in command.body
                    for node in ast.walk(line)
                )
                assert (annotation.id == "Workspace") == uses_workspace, (path.name, command.name)
    rebuild = groups()[()].commands["rebuild"]
    assert {
        parameter.name: parameter.hidden
        for parameter in rebuild.params
        if parameter.name in {"out", "workspace"}
    } == {
        "out": True,
        "workspace": False,
    }


def complete_words(shell: str, *words: str) -> list[str]:
    """Return the completions a shell offers after the words once our script is loaded."""
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
def test_shell_completes_commands(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert sorted(complete_words(shell, "benchloom", "re")) == [
        "reasons",
        "rebuild",
        "release",
        "review",
    ]
    assert complete_words(shell, "benchloom", "release", "ch") == ["check"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_completion_script(shell: str) -> None:
    """The shell need not be installed: the test sends the request that the script would send."""
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


def test_unsupported_shell_is_refused() -> None:
    done = benchloom("shell-completion", "tcsh")
    assert done.returncode == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in done.stderr


def pages() -> dict[tuple[str, ...], Any]:
    """Return every command and group, by the words that call it."""
    commands_by_words: dict[tuple[str, ...], Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        commands_by_words[words] = command
        for name, subcommand in getattr(command, "commands", {}).items():
            walk(subcommand, (*words, name))

    walk(get_command(cli.build_app()), ())
    return commands_by_words


@pytest.mark.parametrize("words", pages(), ids=" ".join)
def test_help_page_has_two_examples_and_fits_a_screen(words: tuple[str, ...]) -> None:
    output = CliRunner().invoke(cli.build_app(), [*words, "-h"], env=NARROW).output
    assert output.startswith("Usage: benchloom")
    assert re.findall(r"\\[a-z]\b|[\x00-\x09\x0b-\x1f]", output) == [], "an escape"
    assert len(output.splitlines()) <= 30
    assert "  Also:" in output
    if words:
        example_lines = output.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
        examples = [line for line in example_lines if not line.startswith("  Also:")]
        assert len(examples) == 2
        assert all("benchloom" in line for line in examples)


def test_help_all_lists_the_hidden_options() -> None:
    short_help = CliRunner().invoke(cli.build_app(), ["generate", "-h"], env=NARROW).output
    full_help = CliRunner().invoke(cli.build_app(), ["generate", "--help-all"], env=NARROW).output
    assert re.search(r"--help-all +List \d+ more options", short_help)
    assert "--tpm X" in full_help
    assert "--tpm" not in short_help


def test_version_and_quiet_options_have_short_names() -> None:
    assert benchloom("-V").stdout == benchloom("--version").stdout == f"benchloom {__version__}\n"
    quiet = benchloom("doctor", "-q")
    assert quiet.stderr == ""
    assert quiet.stdout


def test_misspelt_word_suggests_the_nearest_name() -> None:
    for words, nearest in ((("relase",), "release"), (("release", "chekc"), "check")):
        done = benchloom(*words)
        assert done.returncode == 2
        assert f"Did you mean '{nearest}'" in done.stderr
    assert "--format" in benchloom("release", "export", "--fromat", "trl", "--out", "x").stderr


def test_traceback_is_shown_only_with_verbose(tmp_path: Path) -> None:
    words = ("release", "list", "--workspace", tmp_path / "none")
    assert "Traceback" not in benchloom("release", "check", *words[2:]).stderr
    assert "Traceback" in benchloom("-v", "release", "check", *words[2:]).stderr
