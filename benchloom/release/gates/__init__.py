"""Gates of a release, one module per gate; discovered by module name.

A module defines `findings(release) -> Iterator[str]`: one line per fault, which names the table
and the row. Every gate judges every release by its contents: the gates `contract`, `references`
and `redaction` follow each table's definition, other gates are for particular tables. If a
release lacks a table that a gate compares with, that comparison is skipped.

A gate whose work grows with the rows also defines `parts(release) -> Iterator[Part]`: the same
findings in the same order, in parts that several processes can run. A rule that needs only one
row at a time is a `RowsPart`: the rules of several gates about the same table share one reading
of its rows.
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
    """The interface of each gate module in this folder."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


@runtime_checkable
class PartedGate(Gate, Protocol):
    """A gate that can be run in parts."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Yield parts that together give the same findings as the gate."""


class FurtherGate(Protocol):
    """A gate that a caller passes in, because the core cannot discover it."""

    def findings(self, release: GateView) -> Iterator[str]:
        """One line per fault."""


GATES = Kind("gate", __name__, Gate, beside=("rows", "passed", "view"))


def parts_of(gate: Gate | FurtherGate, release: GateView) -> Iterator[Part]:
    """Yield the parts of a gate; a gate without parts is a single part."""
    if isinstance(gate, PartedGate):
        yield from gate.parts(release)
    else:
        yield gate.findings
