"""Gates of a release, one module per gate; discovered by module name.

A module offers `CHECKS`, the names that `gates:` of a table's definition may use for it, and
`findings(release) -> Iterator[str]`: one line per fault, which names the table and the row. A gate
without findings is passed. A release that lacks a table a gate compares with is judged by what it
holds.
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from benchloom.kinds import Kind
from benchloom.release.gates.view import GateView, view_gate

__all__ = ["GATES", "FurtherGate", "Gate", "GateView", "view_gate"]


@runtime_checkable
class Gate(Protocol):
    """What a module of this folder offers."""

    CHECKS: tuple[str, ...]

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""
        ...


class FurtherGate(Protocol):
    """A gate that is handed in: the core cannot discover it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


GATES = Kind("gate", __name__, Gate, claims=lambda member: member.CHECKS, beside=("view",))
