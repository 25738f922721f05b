"""The apps of the everyday world: a module per app, with the member `APP`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.tool import App

APPS = Kind("app", __name__, App, attribute="APP")
