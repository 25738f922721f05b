"""Check every command group: it adds its commands, explains them and is named after them."""

from collections.abc import Callable
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from flows.cli import build_app
from flows.commands import COMMANDS
from flows.commands._help import Commands

WIDE = {"COLUMNS": "200"}


def commands_of(app: typer.Typer) -> list[tuple[str, ...]]:
    """Return the words that call each command of an application."""
    command_words: list[tuple[str, ...]] = []
    pending: list[tuple[tuple[str, ...], Any]] = [((), get_command(app))]
    while pending:
        words, command = pending.pop()
        children = getattr(command, "commands", {})
        pending += [((*words, name), child) for name, child in children.items()]
        if not children:
            command_words.append(words)
    return command_words


def own_commands(member: Commands) -> list[tuple[str, ...]]:
    """Return the words that call each command of a group."""
    (module,) = (name for name, other in COMMANDS.all().items() if other is member)
    group = module.partition("_")[0]
    above = (group,) if group in COMMANDS.names() and COMMANDS.find(group).about else ()
    return [(*above, str(command.name)) for command in member.registered_commands]


def adds_commands_to_the_application(member: Commands) -> None:
    added = own_commands(member)
    assert added
    assert set(added) <= set(commands_of(build_app()))


def explains_its_commands(member: Commands) -> None:
    app = build_app()
    for words in own_commands(member):
        help_result = CliRunner().invoke(app, [*words, "--help"], env=WIDE)
        assert help_result.exit_code == 0, help_result.output
        lines = [line.strip() for line in help_result.output.splitlines() if line.strip()]
        assert lines[0].startswith("Usage: ")
        assert len(lines[1]) > 10, f"{words} says nothing about itself"


def is_named_after_its_commands(member: Commands) -> None:
    (module,) = (name for name, other in COMMANDS.all().items() if other is member)
    for word, *_ in own_commands(member):
        assert set(own_commands(member)) <= set(commands_of(build_app(word)))
        assert f"{module}_".startswith(f"{word.replace('-', '_')}_")


SUITE = (
    adds_commands_to_the_application,
    explains_its_commands,
    is_named_after_its_commands,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", COMMANDS.names())
def test_contract(name: str, claim: Callable[[Commands], None]) -> None:
    claim(COMMANDS.find(name))


def test_every_command_belongs_to_one_group() -> None:
    added = [words for member in COMMANDS.all().values() for words in own_commands(member)]
    assert len(set(added)) == len(added)
