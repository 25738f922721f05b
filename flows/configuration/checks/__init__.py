"""Checks of what a table of `rebuild.toml` names: inputs, sites, steps, suites, targets.

A module has the name of its table and offers `problems`. It is imported if a key of the table is
set: a rebuild without sites loads no code of sites.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from flows.configuration.faults import Problem
from flows.configuration.model import Configuration


@runtime_checkable
class TableCheck(Protocol):
    """The interface of each module in this folder."""

    def problems(
        self, configuration: Configuration, base: Path, *, online: bool
    ) -> Iterator[Problem]:
        """Yield what is wrong; paths are relative to `base`, `online` also asks behind URLs."""


TABLE_CHECKS = Kind("check of a table", __name__, TableCheck)
