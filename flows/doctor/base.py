"""What a look at the machine is given, and what it finds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec

State = Literal["ok", "missing", "fault"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is there, is missing, or is there and of no use.

    `serves` says what needs it, `mend` is the command that mends it, None where all is well.
    `needed` says that the configuration cannot do without it.
    """

    name: str
    state: State
    told: str
    serves: str
    mend: str | None = None
    needed: bool = False


@dataclass(frozen=True)
class Needs:
    """What a configuration needs, by name with the key that needs it; nothing without one.

    `file` is the configuration, `workspace` the folder for stages and releases. `faults` counts
    what `config check` finds wrong with the file itself.
    """

    workspace: Path
    file: Path | None = None
    extras: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    weights: str | None = None
    faults: int = 0

    @property
    def configured(self) -> bool:
        """Whether there is a configuration, so that something is going to run here."""
        return self.file is not None


@runtime_checkable
class Look(Protocol):
    """What a module of this folder offers."""

    def look(self, needs: Needs) -> Iterator[Finding]:
        """What is found, in the order in which people should read it."""
        ...
