"""Gates of a release, one module per gate; discovered by module name.

A module offers `findings(release) -> Iterator[str]`: one line per fault, which names the table and
the row. Every gate judges every release by what it holds: the contract, the references and the
redaction follow a table's definition, the others know the tables they are about. A release that
lacks a table a gate compares with is judged without that comparison.
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from benchloom.kinds import Kind
from benchloom.release.gates.view import GateView, view_gate

__all__ = ["GATES", "FurtherGate", "Gate", "GateView", "view_gate"]


@runtime_checkable
class Gate(Protocol):
    """What a module of this folder offers."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""
        ...


class FurtherGate(Protocol):
    """A gate that is handed in: the core cannot discover it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


GATES = Kind("gate", __name__, Gate, beside=("view",))
