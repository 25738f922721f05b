"""The apps of the everyday world; each module defines an `APP` with tables, data and tools."""

from benchloom.core.kinds import Kind
from benchloom.worlds.tool import App

APPS = Kind("app", __name__, App, attribute="APP")
