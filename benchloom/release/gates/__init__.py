"""Gates of a release, one module per gate; discovered by module name.

A module offers `CHECKS`, the names that `gates:` of a table's definition may use for it, and
`findings(release) -> Iterator[str]`: one line per fault, which names the table and the row. A gate
without findings is passed. A release that lacks a table a gate compares with is judged by what it
holds.
"""

from collections.abc import Iterator
from typing import Protocol, cast

from benchloom.errors import RunError
from benchloom.members import member_modules
from benchloom.release.gates.view import GateView, view_gate

__all__ = ["FurtherGate", "Gate", "GateView", "gate_members", "view_gate"]


class Gate(Protocol):
    """What a module of this folder offers."""

    CHECKS: tuple[str, ...]

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


class FurtherGate(Protocol):
    """A gate that is handed in: the core cannot discover it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


def gate_members() -> dict[str, Gate]:
    """Every gate by module name.

    Raises:
        RunError: two gates claim the same check.
    """
    found: dict[str, Gate] = {}
    owners: dict[str, str] = {}
    for name, module in member_modules(__name__, __path__):
        if name == "view":
            continue
        member = cast("Gate", module)
        for check in member.CHECKS:
            if owners.setdefault(check, name) != name:
                raise RunError(f"gates {owners[check]} and {name} both check {check}")
        found[name] = member
    return found
