"""Generates the page about the command line from the help of every command."""

from collections.abc import Iterator, Mapping
from functools import cache

import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from flows.cli import build_app

TITLE = "Command line"
_WIDTH = "96"
_PAGE = """# Command line

Every command that makes something takes `--json`: one JSON object on standard output, progress on
standard error. INPUT is a file, a folder, a zip or a WARC; members are read in place.

| exit code | meaning |
|---|---|
| 0 | done; rejected objects are rows of `rejected`, not failures |
| 1 | a gate or `--strict` failed, or `generate` kept no text |
| 2 | wrong usage, configuration or input |
| 3 | stopped by a budget or by a site's refusal |

{commands}
"""


@cache  # every command writes its help
def pages() -> Mapping[str, str]:
    """Return one page with the help of every command, as a mapping from its path to its text."""
    app = build_app()
    runner = CliRunner(env={"COLUMNS": _WIDTH, "TERMINAL_WIDTH": _WIDTH, "NO_COLOR": "1"})
    sections = []
    for words in command_words(app):
        help_text = runner.invoke(app, [*words, "--help-all"], prog_name="benchloom").output.strip()
        sections.append(f"## benchloom {' '.join(words)}\n\n```text\n{help_text}\n```")
    return {"commands.md": _PAGE.format(commands="\n\n".join(sections))}


def command_words(app: typer.Typer) -> Iterator[tuple[str, ...]]:
    """Yield the words of each visible command, such as ("release", "build"), in help order."""
    pending: list[tuple[tuple[str, ...], object]] = [((), typer.main.get_command(app))]
    while pending:
        words, command = pending.pop()
        if isinstance(command, TyperGroup):
            below = [((*words, name), subcommand) for name, subcommand in command.commands.items()]
            pending += [entry for entry in reversed(below) if not entry[1].hidden]
        else:
            yield words
