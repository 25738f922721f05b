"""Requests that users make of each app, with their wording; each module has `REQUESTS`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.requests.wants import Requests

REQUESTS = Kind("list of requests", __name__, Requests, attribute="REQUESTS", beside=("_objects",))
