"""API-Bank's tools, a module for each database; a module offers `PART`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.suites.api_bank.part import Part

PARTS = Kind("part of API-Bank", __name__, Part, attribute="PART")
