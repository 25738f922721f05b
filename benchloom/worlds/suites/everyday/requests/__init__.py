"""The requests that users make of the everyday apps; each module defines `REQUESTS`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.requests.wants import Requests

REQUESTS = Kind("list of requests", __name__, Requests, attribute="REQUESTS", beside=("_objects",))
