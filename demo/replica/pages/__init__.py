"""Hand-made sites, one module each, with entries and pages.

A module has `HOSTS`, `ROBOTS` and `answer(world, request)`; a module of a sharing site also has
`SITE`, its name, and `entries()`.
"""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from demo.replica.exchange import Request, Response
from demo.replica.posted import Posted
from demo.replica.world import World


@runtime_checkable
class Responder(Protocol):
    """Interface of the modules of this folder, which answer for hosts."""

    HOSTS: tuple[str, ...]
    ROBOTS: tuple[str, ...]
    """Lines of robots.txt, besides its first line."""

    def answer(self, world: World, request: Request) -> Response:
        """Return the answer of the site to a request for any path but robots.txt."""
        ...


@runtime_checkable
class SharingSite(Responder, Protocol):
    """Interface of the modules that imitate a site for which there is an adapter."""

    SITE: str

    def entries(self) -> list[Posted]:
        """Return the entries that the site lists, newest first."""
        ...


RESPONDERS = Kind("replica host", __name__, Responder, names=lambda _, member: member.HOSTS)
"""Every responder by the hosts it answers for."""
