"""Gates of a release, one module per gate, discovered by module name.

A module defines `findings(release) -> Iterator[str]`, which yields one line per fault with the
table and the row. The gates `contract`, `references` and `redaction` check all tables by their
definitions, other gates check particular tables. A gate skips a comparison with a table that the
release lacks. A gate whose name begins with the name of a table is imported only if the release
has rows of that table.

A gate whose work grows with the rows defines `parts(release) -> Iterator[Part]` instead; several
processes can run the parts. A rule that needs only one row at a time is a `RowsPart`: then the
rules of several gates read the rows of a table together.
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
    """A check that every release must pass (a gate): the interface of a module in this folder."""

    def findings(self, release: GateView) -> Iterator[str]:
        """Yield one line for each fault that this gate detects in the release."""


@runtime_checkable
class PartedGate(Protocol):
    """A gate that is divided into parts, which can run in several processes."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Yield the parts of the gate that can run separately, always in the same order."""


AnyGate: TypeAlias = Gate | PartedGate
GATES: Kind[AnyGate] = Kind("gate", __name__, (Gate, PartedGate), beside=("rows", "view"))


def parts_of(gate: AnyGate, release: GateView) -> Iterator[Part]:
    """Yield the parts into which a gate (a check before release) can be divided, or the gate."""
    if isinstance(gate, PartedGate):
        yield from gate.parts(release)
    else:
        yield gate.findings


def gate_findings(gate: AnyGate, release: GateView) -> Iterator[str]:
    """Yield one line for each fault that a gate finds in a release, in the order of its parts."""
    for part in parts_of(gate, release):
        yield from part(release)
