"""`rebuild.toml`: what a rebuild reads and how."""

from pathlib import Path
from typing import Literal

import msgspec

from benchloom.errors import RunError


class Sources(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs per kind: files, folders or zip archives, relative to the configuration file."""

    shortcuts: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    sgd: tuple[str, ...] = ()


class DialogueOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is made of SGD dialogues; see `benchloom convert sgd --help`."""

    mode: Literal["flow", "name"] = "flow"
    drop: tuple[Literal["failed", "retried", "superseded"], ...] = ()
    variant: str | None = None


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rebuild. `version` fixes the release's version; without it one is proposed.

    `sgd` tells what is made of the dialogues; it is the table [sgd] of the file.
    """

    sources: Sources
    sgd: DialogueOptions = DialogueOptions()
    workers: int = 1
    cross_check: bool = False
    version: str | None = None

    def inputs(self, kind: str, base: Path) -> list[Path]:
        """The inputs of one kind as paths."""
        return [base / Path(name).expanduser() for name in getattr(self.sources, kind)]


def read_configuration(path: Path) -> Configuration:
    """The configuration in a TOML file.

    Raises:
        RunError: the file is missing, or says something unknown; the message names the place.
    """
    try:
        configuration = msgspec.toml.decode(path.read_bytes(), type=Configuration)
    except FileNotFoundError as error:
        raise RunError(f"{path}: no such configuration file") from error
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}") from error
    if not any(configuration.sources.__getattribute__(f) for f in Sources.__struct_fields__):
        raise RunError(f"{path}: [sources] names no input")
    if configuration.workers < 1:
        raise RunError(f"{path}: workers must be at least 1")
    return configuration
