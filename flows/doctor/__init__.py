"""This package checks whether this machine has what benchloom or a configuration needs.

Each check is a module of this folder. A check changes nothing and uses no network.
"""

from collections.abc import Iterator

import msgspec

from benchloom.core.kinds import Kind
from flows.doctor.base import Finding, Look, Needs

LOOKS = Kind("look", __name__, Look, beside=("base", "needs"))


def examine(needs: Needs) -> Iterator[Finding]:
    """Run every check of this machine, and yield the findings."""
    for name, look in LOOKS.all().items():
        for finding in look.look(needs):
            yield msgspec.structs.replace(finding, look=name)
