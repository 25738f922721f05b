"""Apps of people who know each other: one module each, which offers `APP`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.app import App

APPS = Kind("app", __name__, App, attribute="APP")
