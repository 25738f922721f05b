"""`benchloom config check|show|example`: the configuration of a rebuild."""

import sys
from pathlib import Path

import msgspec
import typer

from flows.commands._help import FullGroup
from flows.commands.options import DEFAULT_WORKSPACE, Config, Json, UnusedWorkspace, finish


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `config check` prints with --json."""

    command: str
    file: str | None
    faults: tuple[str, ...]


class KeyLine(msgspec.Struct, frozen=True, kw_only=True):
    """One key: its effective value, where that comes from, and what it means."""

    key: str
    value: object
    origin: str
    description: str


class ShowSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What `config show` prints with --json; of secrets only whether they are set."""

    command: str
    file: str | None
    keys: list[KeyLine]
    secrets: dict[str, str]


def check(
    config: Config = None, json: Json = False, workspace: UnusedWorkspace = DEFAULT_WORKSPACE
) -> None:
    """Find every fault: names, types, paths, sites, prices, addresses, the schedule."""
    from flows.configuration import ConfigurationError, find_file
    from flows.configuration.checking import check_configuration

    path = find_file(config)
    faults = check_configuration(path)
    summary = CheckSummary(command="config check", file=_text(path), faults=faults)
    if json or not faults:
        finish(summary, [f"{path or 'the environment alone'}: no faults"], as_json=json)
    if faults:
        raise ConfigurationError(faults)


def show(
    config: Config = None, json: Json = False, workspace: UnusedWorkspace = DEFAULT_WORKSPACE
) -> None:
    """Print every key, its effective value and where that comes from."""
    from flows.configuration import find_file, read_configuration
    from flows.configuration.example import toml_value
    from flows.configuration.keys import Origins, all_keys, value_of
    from flows.configuration.reading import read_file
    from flows.configuration.secrets import secret_states

    path = find_file(config)
    configuration = read_configuration(path)
    origins = Origins({} if path is None else read_file(path))
    found = [
        KeyLine(
            key=key.name,
            value=value_of(configuration, key),
            origin=origins.of(key),
            description=key.description,
        )
        for key in all_keys()
    ]
    states = secret_states()
    lines = [f"configuration: {path or 'the environment alone'}", ""]
    for line in found:
        value = "-" if line.value is None else toml_value(line.value)
        lines.append(f"{line.key:<28} {value:<22} {line.origin:<8}  {line.description}")
    lines += ["", *(f"{name:<28} {state}" for name, state in states.items())]
    summary = ShowSummary(command="config show", file=_text(path), keys=found, secrets=states)
    finish(summary, lines, as_json=json)


def example() -> None:
    """Print a commented configuration with every key: docs/configuration.toml."""
    from flows.configuration.example import example as text

    sys.stdout.write(text())


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def add_to(app: typer.Typer, parents: dict[str, typer.Typer]) -> None:
    """Add the commands under `benchloom config`."""
    group = typer.Typer(
        cls=FullGroup,
        help="Check and show a configuration.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("check")(check)
    group.command("show")(show)
    group.command("example")(example)
    app.add_typer(group, name="config")
