"""Requests that users make of each app, and their wording: one module per app, with `REQUESTS`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.asking.wants import Requests

REQUESTS = Kind("list of requests", __name__, Requests, attribute="REQUESTS", beside=("_objects",))
