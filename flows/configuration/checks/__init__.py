"""Checks of what a table of `rebuild.toml` names: inputs, sites, steps, suites, targets.

A module has the name of its table and offers `problems`. It is imported if a key of the table is
set: a rebuild without sites loads no code of sites.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration


class Checked(NamedTuple):
    """The configuration to check.

    Attributes:
        configuration: its values.
        base: the folder that relative paths start from.
        online: whether to ask behind URLs as well.
    """

    configuration: Configuration
    base: Path
    online: bool = False


@runtime_checkable
class TableCheck(Protocol):
    """The interface of each module in this folder."""

    def problems(self, checked: Checked) -> Iterator[Problem]:
        """Yield the problems of the table."""


TABLE_CHECKS = Kind("check of a table", __name__, TableCheck)
