"""This module stores the state of crawls in small files, so that a killed crawl can continue.

The archives record what was fetched, when and with which result. The state of a site only says
which archive belongs to the newest run, how the run ended, and which listings it saw.
"""

import re
import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.workspace import write_file
from scrapers.captures.layout import JOB_FILE, RUN_SUFFIX, state_file

S = TypeVar("S", bound=msgspec.Struct)


class RunState(msgspec.Struct, frozen=True, kw_only=True):
    """The newest run of a site, stored in the file `<site>.run.json`.

    `file` is the name of the run's archive. `outcome` is `open` while the run continues and after
    it was killed. After the end it is `complete`, `refused`, or `partial` if a limit, a date or a
    fault kept the run from seeing everything. `listed` maps the listing ids of the newest complete
    run to their addresses.
    """

    file: str
    started: str
    outcome: str = "open"
    ended: str | None = None
    requests: int = 0
    listings: int = 0
    drift: tuple[str, ...] = ()
    message: str | None = None
    listed: dict[str, str] = {}


def read_state(captures: Path, site: str) -> RunState | None:
    """Return the newest run of a site, or None before the first run."""
    path = state_file(captures, site + RUN_SUFFIX)
    return _read(path, RunState, "remove this file to start a new run")


def write_state(captures: Path, site: str, state: RunState) -> None:
    """Replace the file with the newest run of a site."""
    write_file(state_file(captures, site + RUN_SUFFIX), msgspec.json.encode(state))


def open_run(captures: Path, site: str, now: str, resume_hours: float) -> tuple[RunState, bool]:
    """Start or continue a run of a site; return the run, and whether it is continued.

    A run that was killed or refused is continued if it started less than `resume_hours` before
    `now`.
    """
    earlier = read_state(captures, site)
    if earlier is not None and earlier.outcome in {"open", "refused"}:
        age = _moment(now) - _moment(earlier.started)
        if age < timedelta(hours=resume_hours):
            state = msgspec.structs.replace(earlier, outcome="open", ended=None, message=None)
            write_state(captures, site, state)
            return state, True
    state = RunState(
        file=f"{site}-{_next_number(captures / site, site):05d}.warc.gz",
        started=now,
        listed=earlier.listed if earlier is not None else {},
    )
    write_state(captures, site, state)
    return state, False


def _next_number(folder: Path, site: str) -> int:
    # Times in names would give equal crawls different names.
    numbers = [
        int(match.group(1))
        for path in folder.glob("*.warc.gz")
        if (match := re.fullmatch(rf"{re.escape(site)}-(\d{{1,9}})\.warc\.gz", path.name))
    ]
    return max(numbers, default=0) + 1


class _JobState(msgspec.Struct, frozen=True, kw_only=True):
    sites: tuple[str, ...]
    started: str
    done: tuple[str, ...] = ()


class Job:
    """The record of which sites of a crawl are finished, kept until all sites are finished.

    If a crawl of the same sites was killed less than `resume_hours` ago, its record is continued,
    so that its finished sites are not requested again.
    """

    def __init__(self, captures: Path, sites: Iterable[str], now: str, resume_hours: float) -> None:
        self._path = state_file(captures, JOB_FILE)
        self._guard = threading.Lock()
        self._state = _JobState(sites=tuple(sorted(sites)), started=now)
        earlier = _read(self._path, _JobState, "remove this file to start a new crawl")
        if earlier is not None:
            age = _moment(now) - _moment(earlier.started)
            if earlier.sites == self._state.sites and age < timedelta(hours=resume_hours):
                self._state = earlier
        write_file(self._path, msgspec.json.encode(self._state))

    def is_done(self, site: str) -> bool:
        """Whether the crawl has already finished a site."""
        return site in self._state.done

    def finish(self, site: str) -> None:
        """Record that the crawl has finished a site."""
        with self._guard:
            done = tuple(sorted({*self._state.done, site}))
            self._state = msgspec.structs.replace(self._state, done=done)
            write_file(self._path, msgspec.json.encode(self._state))

    def close(self) -> None:
        """Delete the record, because the crawl has finished every site."""
        self._path.unlink(missing_ok=True)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _read(path: Path, kind: type[S], remedy: str) -> S | None:
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; {remedy}") from error
