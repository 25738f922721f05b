"""What describing an earlier release found out, by what it was found in: it is not done again.

A store is a folder of sealed files. What was counted in a file of a table, or made from its rows,
lies in a file named by the SHA-256 of that one; plots lie in a file of their own. The folder is
named by the digest of the code that describes. A run leaves what it used and forgets the rest. What
is missing, damaged or of another place is only made again, and documents are the same bytes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.sealing import kind_of
from benchloom.workspace import forget_unused, read_sealed, write_sealed

T = TypeVar("T")
_ENDING = ".results"


class Results:
    """What is known of one subject, by name; what is used or learned is kept."""

    def __init__(self, content: bytes | None) -> None:
        self._known: dict[str, msgspec.Raw] = {}
        if content is not None:
            with suppress(msgspec.MsgspecError):
                self._known = msgspec.msgpack.decode(content, type=dict[str, msgspec.Raw])
        self._used: dict[str, msgspec.Raw] = {}
        self._is_new = False

    def get(self, name: str, kind: type[T], make: Callable[[], T]) -> T:
        """What is known by a name; made where nothing of this kind is."""
        found = self._used.get(name, self._known.get(name))
        if found is not None:
            with suppress(msgspec.MsgspecError):
                value = msgspec.msgpack.decode(found, type=kind)
                self._used[name] = found
                return value
        value = make()
        self._used[name] = msgspec.Raw(msgspec.msgpack.encode(value))
        self._is_new = True
        return value

    def changed(self) -> bytes | None:
        """What to keep; None where it is what was known."""
        if not self._is_new and self._used.keys() == self._known.keys():
            return None
        return msgspec.msgpack.encode(dict(sorted(self._used.items())))


class ResultStore:
    """A folder with what is known of each subject; a subject is a name for a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Results] = {}
        self._used: set[str] = set()

    def of(self, subject: str) -> Results:
        """What is known of a subject."""
        if subject not in self._open:
            self._open[subject] = Results(read_sealed(self.place(subject + _ENDING)))
        return self._open[subject]

    def place(self, name: str) -> Path:
        """Where a file lies that this run uses; whoever asks reads and writes it sealed."""
        self._used.add(name)
        return self.folder / name

    def close(self) -> None:
        """Write what was learned, and remove what this run did not use.

        What cannot be written or removed is no fault.
        """
        for subject, results in self._open.items():
            content = results.changed()
            if content is not None:
                with suppress(OSError):
                    write_sealed(self.place(subject + _ENDING), content)
        forget_unused(self.folder, self._used)


_store: ContextVar[ResultStore | None] = ContextVar("described", default=None)


@contextmanager
def remembering_results(folder: Path) -> Iterator[None]:
    """Know what a store holds, and leave what is used or found out here to the next run.

    What ends with a fault leaves no more than what lies in files of its own; a store that cannot be
    written is no fault.
    """
    store = ResultStore(folder.absolute()) if kind_of(folder) in {None, "folder"} else None
    token = _store.set(store)
    try:
        yield
        if store is not None:
            store.close()
    finally:
        _store.reset(token)


def result_store() -> ResultStore | None:
    """The store of this context; None where nobody remembers anything."""
    return _store.get()


def remembered(subject: str, name: str, kind: type[T], make: Callable[[], T]) -> T:
    """What was found out about a subject by a name; `make` does where nothing is known.

    `subject` is a digest of all that it depends on besides the code and what `name` tells.
    """
    store = _store.get()
    return make() if store is None else store.of(subject).get(name, kind, make)
