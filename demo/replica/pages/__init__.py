"""The imitated sites of the replica: each module of this folder answers the requests to a site."""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from demo.replica.exchange import Request, Response
from demo.replica.posted import Posted
from demo.replica.world import World


@runtime_checkable
class Responder(Protocol):
    """The interface of the modules of this folder; a module answers requests to `HOSTS`."""

    HOSTS: tuple[str, ...]
    ROBOTS: tuple[str, ...]
    """The lines of robots.txt after its first line."""

    def answer(self, world: World, request: Request) -> Response:
        """Return the response to a request for any path other than /robots.txt."""
        ...


@runtime_checkable
class SharingSite(Responder, Protocol):
    """The interface of modules that imitate a site on which people share shortcuts.

    `SITE` is the name of the site in `scrapers.sites`.
    """

    SITE: str

    def entries(self) -> list[Posted]:
        """Return the entries that the site lists at first, newest first."""
        ...


RESPONDERS = Kind("replica host", __name__, Responder, names=lambda _, member: member.HOSTS)
"""All modules of this folder; a host name finds the module that answers for the host."""
