"""This benchmark measures calls of tools in the simulated world `everyday`, and open sessions.

The calls come from `tests/contracts/test_apps.py`; they use every tool.
"""

import time
from collections import defaultdict
from statistics import median

from benchloom.worlds import Session
from benchloom.worlds.everyday import everyday
from benchmarks._processor import apart, peak_mib, print_json
from tests.contracts.test_apps import walk

ROUNDS = 10
OPENINGS = 50
SESSIONS = 200
_MILLI = 1_000


def ratios() -> list[tuple[str, float, str]]:
    """Return processor times of calls and of opening a session, and memory of open sessions."""
    world = everyday()
    len(world.start)  # all sessions share this start
    opened = _opened()
    memory = apart(float, "benchmarks.running_worlds")
    millis: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        with Session(world) as session:
            for name, arguments in walk().calls:
                before = time.process_time()
                session.call(name, arguments)
                millis[name].append(_MILLI * (time.process_time() - before))
    every = [duration for durations in millis.values() for duration in durations]
    slowest = max(millis, key=lambda name: median(millis[name]))
    return [
        (f"median of a call of {len(millis)} tools, ms", median(every), "<= 1"),
        (f"median of a call of the slowest tool ({slowest}), ms", median(millis[slowest]), "<= 10"),
        ("calls per second in one process", _MILLI * len(every) / sum(every), ">= 1000"),
        (f"median of opening {OPENINGS} sessions, ms", opened, "<= 20"),
        (
            f"peak memory of {SESSIONS} open sessions after all calls, MiB",
            memory,
            "<= 1024",
        ),
    ]


def _opened() -> float:
    """Return the median milliseconds of opening a session and making its first call."""
    durations = []
    for _ in range(OPENINGS):
        before = time.process_time()
        with Session(everyday()) as session:
            session.call("dates.tell_time", {})
            durations.append(_MILLI * (time.process_time() - before))
    return median(durations)


def _hold() -> float:
    """Return the peak memory in MiB of this process with 200 open sessions after all calls."""
    sessions = [Session(everyday()) for _ in range(SESSIONS)]
    for session in sessions:
        for name, arguments in walk().calls:
            session.call(name, arguments)
    return peak_mib()


if __name__ == "__main__":
    print_json(_hold())
