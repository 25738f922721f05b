"""Errors of viewing a release, with their HTTP status.

ExploreError (a RunError)
├── AbsentError     there is no such table, row or page (404)
├── BadRequestError the request is invalid: an unknown column or relation (400)
├── DamagedError    a table cannot be read (500)
├── VersionError    a row does not fit this version's records (500)
└── TooMuchError    a query took too long, or too many requests are running (503)
"""

from benchloom.core.errors import RunError


class ExploreError(RunError):
    """The base class of errors that are shown as pages.

    `title` is the heading of the page, and `status` its HTTP status.
    """

    title = "Error"
    status = 500


class AbsentError(ExploreError):
    """Raised if the release lacks the requested table, row or page."""

    title = "Not here"
    status = 404


class BadRequestError(ExploreError):
    """Raised if the request itself is invalid."""

    title = "Invalid request"
    status = 400


class DamagedError(ExploreError):
    """Raised if a file of the release does not match its manifest."""

    title = "Damaged"


class VersionError(ExploreError):
    """Raised if a row has other columns than this version's records.

    Lists and exports still show the row.
    """

    title = "Row of another version"

    def __init__(self, table: str, fault: Exception) -> None:
        super().__init__(
            f"a row of {table} has other columns than this version expects ({fault}); "
            f"the list of {table} shows it"
        )


class TooMuchError(ExploreError):
    """Raised if a limit of time, memory or concurrent work is reached."""

    title = "Limit reached"
    status = 503
