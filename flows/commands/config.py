"""The commands `benchloom config check`, `show` and `example`, for the file `rebuild.toml`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Option

from benchloom.core.errors import GateError
from flows.commands._help import Commands
from flows.commands.options import (
    DEFAULT_WORKSPACE,
    Config,
    Json,
    UnusedWorkspace,
    Workspace,
    finish,
)

if TYPE_CHECKING:
    from flows.configuration.faults import Fault

GROUP = Commands(
    """Check a configuration, and show its keys.

    Examples:
        benchloom config check
        benchloom config show
    """
)


class FaultLine(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a configuration, as `config check --json` prints it.

    `value` is the faulty value as TOML, or None if it is missing or may be a secret.
    """

    source: str
    line: int | None
    key: str
    value: str | None
    message: str


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `config check --json` prints.

    `faults` and `warnings` are messages for people; `details` has the fields of each fault.
    """

    command: str
    file: str | None
    faults: tuple[str, ...]
    details: tuple[FaultLine, ...]
    warnings: tuple[str, ...]


class KeyLine(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration key, its effective value, the origin of the value, and the description."""

    key: str
    value: object
    origin: str
    description: str


class ShowSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary that `config show --json` prints; `secrets` says only which secrets are set."""

    command: str
    file: str | None
    keys: list[KeyLine]
    secrets: dict[str, str]


@GROUP.command("check", codes={1: "--strict is set, and there are warnings", 2: "a fault"})
def check(
    config: Config = None,
    online: Annotated[
        bool,
        Option(
            "--online", help="Also check that input URLs and publication targets can be reached."
        ),
    ] = False,
    strict: Annotated[bool, Option("--strict", help="Exit with 1 if there are warnings.")] = False,
    json: Json = False,
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Find every fault of a configuration in one pass.

    Each fault is printed with its line, its key and the remedy. An opt-out that matches nothing in
    the workspace gives a warning, because it may be mistyped.

    Examples:
        benchloom config check
        benchloom config check --config rebuild.toml --strict
    """
    from flows.configuration import ConfigurationError, find_file
    from flows.configuration.checks import check_configuration, opt_out_warnings

    path = find_file(config)
    faults = check_configuration(path, online=online)
    warnings = opt_out_warnings(path, workspace)
    summary = CheckSummary(
        command="config check",
        file=_text(path),
        faults=tuple(map(str, faults)),
        details=tuple(map(_detail, faults)),
        warnings=tuple(map(str, warnings)),
    )
    for warning in warnings:
        sys.stderr.write(f"benchloom: warning: {warning}\n")
    if json or not faults:
        finish(summary, [f"{path or 'the environment alone'}: no faults"], as_json=json)
    if faults:
        raise ConfigurationError(faults)
    if strict and warnings:
        raise GateError(f"--strict: {len(warnings)} warnings; follow them, or omit --strict")


def _detail(fault: "Fault") -> FaultLine:
    return FaultLine(
        source=fault.source,
        line=fault.line,
        key=fault.dotted,
        value=fault.value,
        message=fault.message,
    )


@GROUP.command("show")
def show(
    config: Config = None, json: Json = False, workspace: UnusedWorkspace = DEFAULT_WORKSPACE
) -> None:
    """Print every key with its value and the origin of the value.

    Examples:
        benchloom config show
        benchloom config show --config rebuild.toml --json
    """
    from flows.configuration import ConfigurationError, find_file
    from flows.configuration.example import toml_value
    from flows.configuration.file import read_valid_part
    from flows.configuration.keys import all_keys, value_at
    from flows.configuration.secrets import secret_states

    path = find_file(config)
    part = read_valid_part(path)
    if part.faults:
        raise ConfigurationError(part.faults)
    key_lines = [
        KeyLine(
            key=key.name,
            value=value_at(part.configuration, key.path),
            origin=part.origin(key),
            description=key.description,
        )
        for key in all_keys()
    ]
    states = secret_states()
    lines = [f"configuration: {path or 'the environment alone'}", ""]
    for line in key_lines:
        value = "-" if line.value is None else toml_value(line.value)
        lines.append(f"{line.key:<28} {value:<22} {line.origin:<8}  {line.description}")
    lines += ["", *(f"{name:<28} {state}" for name, state in states.items())]
    summary = ShowSummary(command="config show", file=_text(path), keys=key_lines, secrets=states)
    finish(summary, lines, as_json=json)


@GROUP.command("example")
def example() -> None:
    """Print a commented configuration with every key.

    Examples:
        benchloom config example
        benchloom config example > all-keys.toml
    """
    from flows.configuration.example import example as text

    sys.stdout.write(text())


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
