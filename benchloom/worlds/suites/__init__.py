"""Suites of worlds: one folder each, which offers `SUITE`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.suite import Suite

SUITES = Kind("suite", __name__, Suite, attribute="SUITE", dashed=True)
