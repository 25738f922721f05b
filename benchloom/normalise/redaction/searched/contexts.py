"""What a context knows of texts: a run remembers, others know what it does, or learn for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from benchloom.normalise.redaction.searched.knowledge import Searched
from benchloom.normalise.redaction.searched.store import Known, read_known
from benchloom.workspace import remove_leftovers


class SearchStore(NamedTuple):
    """A store as it was when something was written to it, in nanoseconds since 1970."""

    folder: Path
    written: int


_searched: ContextVar[Searched | None] = ContextVar("searched", default=None)


def searched_texts() -> Searched | None:
    """What this context knows of texts; None where nobody remembers them."""
    return _searched.get()


@contextmanager
def remembering(folder: Path, user: str, *, little: bool = False) -> Iterator[None]:
    """Know the texts of a store, and leave those that were searched here to the next run.

    `folder` is named by the digest of the code that searches. What is made without a fault leaves
    what it searched; a store that cannot be written is no fault. Where `little` is searched, most
    often, what other users know is not read before it is worth it.
    """
    if little:
        more = partial(read_known, folder)
        searched = Searched(read_known(folder, user), folder, user, more)
    else:
        searched = Searched(read_known(folder), folder, user)
    token = _searched.set(searched)
    try:
        yield
        keep_searches()
    finally:
        _searched.reset(token)


def keep_searches(*, with_known: bool = False) -> SearchStore | None:
    """Write down now what this context has searched; its store, None without one.

    `with_known` keeps what it knew before as well: others may need what it has not used so far.
    """
    searched = _searched.get()
    if searched is None or searched.folder is None:
        return None
    try:
        remove_leftovers(searched.folder)
        searched.write(searched.folder, with_known=with_known)
    except OSError:
        return None
    return SearchStore(searched.folder, time.time_ns())


@contextmanager
def knowing(store: SearchStore | None) -> Iterator[None]:
    """Know the texts of a store, which does not change meanwhile, and leave nothing to it.

    What this context knows already stays; without a store nothing more is known.
    """
    if store is None or _searched.get() is not None:
        yield
        return
    token = _searched.set(_of_store(store))
    try:
        yield
    finally:
        _searched.reset(token)


@lru_cache(maxsize=1)
def _of_store(store: SearchStore) -> Searched:
    """What a process that looks at one part after another knows."""
    return Searched(_held(store))


@lru_cache(maxsize=1)
def _held(store: SearchStore) -> Known:
    return read_known(store.folder)


@contextmanager
def learning(store: SearchStore | None, folder: Path, user: str) -> Iterator[None]:
    """Know the texts of a store, and write what is searched here into a folder, for `take_learned`.

    Without a store nothing is known or written. A folder that cannot be written is no fault.
    """
    searched = None if store is None else Searched(_held(store), folder, user)
    token = _searched.set(searched)
    try:
        yield
        if searched is not None:
            with suppress(OSError):
                searched.write_used(folder)
    finally:
        _searched.reset(token)


def take_learned(folder: Path) -> None:
    """Know what others have searched in this context, as if it had been searched here."""
    searched = _searched.get()
    if searched is not None:
        searched.take(read_known(folder))
