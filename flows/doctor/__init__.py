"""Looks at the machine: whether it has what benchloom, or one configuration, needs.

One look is a module of this folder. It changes nothing and contacts nobody; what it finds says what
it is for and which command mends it.
"""

from collections.abc import Iterator

from benchloom.core.kinds import Kind
from flows.doctor.base import Finding, Look, Needs

LOOKS = Kind("look", __name__, Look, beside=("base", "needs"))


def examine(needs: Needs) -> Iterator[tuple[str, Finding]]:
    """What every look finds, with the name of the look."""
    for name, look in LOOKS.all().items():
        for finding in look.look(needs):
            yield name, finding
