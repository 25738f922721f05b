"""The input and the output of a check of the machine."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A resource that the machine may need for benchloom, and whether it can be used.

    `look` is the name of the check, `serves` the features that need the resource, `mend` the
    command that repairs it, None if its state is ok. `needed`: the configuration needs it.
    """

    look: str = ""
    name: str
    state: Literal["ok", "missing", "fault"]
    told: str
    serves: str
    mend: str | None = None
    needed: bool = False


def finding(
    name: str,
    serves: str,
    *,
    ok: str,
    fault: str | None,
    mend: str,
    missing: bool = False,
    needed: bool = False,
) -> Finding:
    """Return a finding without a fault, or with `fault` and its remedy if there is one."""
    if fault is None:
        return Finding(name=name, state="ok", told=ok, serves=serves, needed=needed)
    state: Literal["missing", "fault"] = "missing" if missing else "fault"
    return Finding(name=name, state=state, told=fault, serves=serves, mend=mend, needed=needed)


@dataclass(frozen=True)
class Needs:
    """The extras, variables and model weights that a configuration needs.

    The value of each is the key of the configuration that needs it.

    Without a configuration there are none. `file` is the configuration, `workspace` the folder for
    stages and releases. `faults` counts the faults of the file itself.
    """

    workspace: Path
    file: Path | None = None
    extras: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    weights: str | None = None
    faults: int = 0


@runtime_checkable
class Look(Protocol):
    """A check of this machine: the interface of a module in this folder."""

    def look(self, needs: Needs) -> Iterator[Finding]:
        """Examine the machine, and yield the findings in the order of the output."""
        ...
