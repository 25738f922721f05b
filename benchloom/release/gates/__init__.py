"""Gates of a release, one module per gate, discovered by module name.

A module defines `findings(release) -> Iterator[str]`: one line per fault, which names the table
and the row. Every gate judges every release by its contents: the gates `contract`, `references`
and `redaction` follow each table's definition, other gates are for particular tables. If a
release lacks a table that a gate compares with, that comparison is skipped.

A gate whose name begins with the name of a table judges the rows of that table; it is imported
for releases that have some.

A gate whose work grows with the rows defines `parts(release) -> Iterator[Part]` instead: parts
that yield the findings and that several processes can run. A rule that needs only one row at a
time is a `RowsPart`: the rules of several gates about the same table share one reading of its
rows.
"""

from collections.abc import Iterator
from typing import Protocol, TypeAlias, runtime_checkable

from benchloom.core.kinds import Kind
from benchloom.release.gates.rows import RowsPart, rows_together
from benchloom.release.gates.view import GateView, Part, Piece, kilobytes_of, view_gate

__all__ = [
    "GATES",
    "AnyGate",
    "Gate",
    "GateView",
    "Part",
    "Piece",
    "RowsPart",
    "gate_findings",
    "kilobytes_of",
    "parts_of",
    "rows_together",
    "view_gate",
]


@runtime_checkable
class Gate(Protocol):
    """The interface of each gate module in this folder."""

    def findings(self, release: GateView) -> Iterator[str]:
        """Yield one line per fault of the release."""


@runtime_checkable
class PartedGate(Protocol):
    """A gate whose work can be divided among processes."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Yield the parts of the gate; their findings, taken together, are in a fixed order."""


AnyGate: TypeAlias = Gate | PartedGate
GATES: Kind[AnyGate] = Kind("gate", __name__, (Gate, PartedGate), beside=("rows", "view"))


def parts_of(gate: AnyGate, release: GateView) -> Iterator[Part]:
    """Yield the parts of a gate; a gate without parts is a single part."""
    if isinstance(gate, PartedGate):
        yield from gate.parts(release)
    else:
        yield gate.findings


def gate_findings(gate: AnyGate, release: GateView) -> Iterator[str]:
    """Yield the findings of a gate, in the order of its parts."""
    for part in parts_of(gate, release):
        yield from part(release)
