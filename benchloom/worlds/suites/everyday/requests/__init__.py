"""What users can want of each app, and in which words: one module per app, with `REQUESTS`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.asking.wants import Requests

REQUESTS = Kind("list of requests", __name__, Requests, attribute="REQUESTS", beside=("_objects",))
