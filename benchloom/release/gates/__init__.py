"""Gates: checks that every release must pass. Each module of this folder is one gate.

A module defines `findings(release) -> Iterator[str]`, which yields one line per fault and names the
table and the row in it. The gates `contract`, `references` and `redaction` check all tables by
their definitions; all other gates check particular tables. A gate skips a comparison with a table
that the release lacks. A gate whose name begins with the name of a table is imported only if the
release has rows of that table.

If the work of a gate grows with the rows, its module defines `parts(release) -> Iterator[Part]`
instead, and several processes run the parts. A rule that needs only one row at a time is a
`RowsPart`, so that the rules of several gates can check a row after reading it once.
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
    """A check that every release must pass. This is the interface of a module in this folder."""

    def findings(self, release: GateView) -> Iterator[str]:
        """Yield one line for each fault in the release."""


@runtime_checkable
class PartedGate(Protocol):
    """A check of a release that is divided into parts, which several processes can run."""

    def parts(self, release: GateView) -> Iterator[Part]:
        """Yield the parts of the check, always in the same order."""


AnyGate: TypeAlias = Gate | PartedGate
GATES: Kind[AnyGate] = Kind("gate", __name__, (Gate, PartedGate), beside=("rows", "view"))


def parts_of(gate: AnyGate, release: GateView) -> Iterator[Part]:
    """Yield the parts of a release check (a gate).

    A check that cannot be divided is the only part.
    """
    if isinstance(gate, PartedGate):
        yield from gate.parts(release)
    else:
        yield gate.findings


def gate_findings(gate: AnyGate, release: GateView) -> Iterator[str]:
    """Run a release check (a gate), and yield one line for each fault."""
    for part in parts_of(gate, release):
        yield from part(release)
