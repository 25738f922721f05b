"""Suites of worlds: a folder per suite, which defines `SUITE`."""

from typing import TYPE_CHECKING

from benchloom.core.kinds import Kind

if TYPE_CHECKING:
    from benchloom.worlds.suite import Suite

SUITES: "Kind[Suite]" = Kind(
    "suite", __name__, "benchloom.worlds.suite.Suite", attribute="SUITE", dashed=True
)
