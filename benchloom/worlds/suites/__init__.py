"""The suites of worlds; a world consists of apps with tools and data, in which an agent acts.

Each suite is a subpackage that defines `SUITE`, and contains worlds of the same origin.
"""

from typing import TYPE_CHECKING

from benchloom.core.kinds import Kind

if TYPE_CHECKING:
    from benchloom.worlds.suite import Suite

SUITES: "Kind[Suite]" = Kind(
    "suite", __name__, "benchloom.worlds.suite.Suite", attribute="SUITE", dashed=True
)
