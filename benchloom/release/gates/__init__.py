"""Gates of a release, one module per gate; discovered by module name.

A module offers `findings(release) -> Iterator[str]`: one line per fault, which names the table and
the row. Every gate judges every release by what it holds: the contract, the references and the
redaction follow a table's definition, the others know the tables they are about. A release that
lacks a table a gate compares with is judged without that comparison.

A gate whose work grows with the rows offers `parts(release) -> Iterator[Part]` as well: the same
findings in the same order, in parts that several processes can look for. A rule about each row by
itself is a `RowsPart`: rules of several gates about the rows of a table see them in one reading.
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from benchloom.release.gates.rows import RowsPart, rows_together
from benchloom.release.gates.view import GateView, Part, Piece, all_of, kilobytes_of, view_gate

__all__ = [
    "GATES",
    "FurtherGate",
    "Gate",
    "GateView",
    "Part",
    "Piece",
    "RowsPart",
    "all_of",
    "kilobytes_of",
    "parts_of",
    "rows_together",
    "view_gate",
]


@runtime_checkable
class Gate(Protocol):
    """What a module of this folder offers."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""
        ...


@runtime_checkable
class PartedGate(Gate, Protocol):
    """A gate whose findings can be looked for in parts."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """What finds the same, part by part."""
        ...


class FurtherGate(Protocol):
    """A gate that is handed in: the core cannot discover it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


GATES = Kind("gate", __name__, Gate, beside=("compared", "rows", "sound", "view"))


def parts_of(gate: Gate | FurtherGate, release: GateView) -> Iterator[Part]:
    """The parts of a gate; a gate that offers none is one."""
    if isinstance(gate, PartedGate):
        yield from gate.parts(release)
    else:
        yield gate.findings
