"""The types that checks of this machine have as input and output."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import msgspec


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A resource that benchloom may need, such as a program, and whether it can be used.

    `look` is the name of the check, and `told` describes the state or the fault. `serves` lists the
    features that need the resource. `mend` is the command that repairs the fault, or None if the
    state is ok. `needed` says whether the configuration needs the resource.
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
    """Return the finding about a resource.

    Without a fault, the state is ok and `ok` describes it. Otherwise `fault` describes the state,
    and `mend` is the command that repairs it.
    """
    if fault is None:
        return Finding(name=name, state="ok", told=ok, serves=serves, needed=needed)
    state: Literal["missing", "fault"] = "missing" if missing else "fault"
    return Finding(name=name, state=state, told=fault, serves=serves, mend=mend, needed=needed)


@dataclass(frozen=True)
class Needs:
    """The extras, environment variables and model weights that a configuration needs.

    `extras` and `variables` map names to the key of the configuration that needs them, and
    `weights` is the key that needs the default weights of the local model. All are empty without a
    configuration. `file` is the path of the configuration, `workspace` the folder for stages and
    releases. `faults` counts the faults of the configuration.
    """

    workspace: Path
    file: Path | None = None
    extras: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    weights: str | None = None
    faults: int = 0


@runtime_checkable
class Look(Protocol):
    """The interface of each module in this folder, which checks one part of this machine."""

    def look(self, needs: Needs) -> Iterator[Finding]:
        """Examine the machine, and yield the findings in the order in which they are printed."""
        ...
