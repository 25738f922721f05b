"""Faults of looking at a release, named by what is answered.

ExploreError (a RunError)
├── AbsentError     there is no such table, row or page (404)
├── AskedError      what was asked cannot be: an unknown column, a statement (400)
├── DamagedError    a table cannot be read (500)
├── VersionError    a row is none of this version's records (500)
└── TooMuchError    it took too long, or too many ask at once (503)
"""

from benchloom.core.errors import RunError


class ExploreError(RunError):
    """Base of the faults that a page tells: `title` heads it, `status` is that of its answer."""

    title = "That went wrong"
    status = 500


class AbsentError(ExploreError):
    """There is no such thing in the release."""

    title = "Not here"
    status = 404


class AskedError(ExploreError):
    """The question itself is wrong."""

    title = "That cannot be asked"
    status = 400


class DamagedError(ExploreError):
    """A file of the release is not what its manifest says."""

    title = "Damaged"


class VersionError(ExploreError):
    """A row has other columns than the records of this version; lists and exports show it."""

    title = "Of another version"

    def __init__(self, table: str, fault: Exception) -> None:
        super().__init__(f"a row of {table} is none of this version's, its list shows it: {fault}")


class TooMuchError(ExploreError):
    """A limit of time or of work at once was reached."""

    title = "Too much at once"
    status = 503
