"""What each app can be asked for, and in which words: one module each, which offers `REQUESTS`."""

from benchloom.core.kinds import Kind
from benchloom.worlds.suites.everyday.asking.wants import Requests

REQUESTS = Kind("list of requests", __name__, Requests, attribute="REQUESTS", beside=("_things",))
