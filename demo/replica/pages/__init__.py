"""Hand-made sites, one module each: its entries, and the pages that show them.

A module offers `HOSTS` and `answer(world, ask)`; one of a sharing site also `SITE`, its name, and
`entries()`.
"""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from demo.replica.exchange import Answer, Ask
from demo.replica.posted import Posted
from demo.replica.world import World


@runtime_checkable
class Responder(Protocol):
    """What a module of this folder offers."""

    HOSTS: tuple[str, ...]

    def answer(self, world: World, ask: Ask) -> Answer:
        """What the site answers."""
        ...


@runtime_checkable
class SharingSite(Responder, Protocol):
    """The functions of a module that imitates a site with an adapter."""

    SITE: str

    def entries(self) -> list[Posted]:
        """What the site lists, newest first."""
        ...


RESPONDERS = Kind("replica host", __name__, Responder, names=lambda _, member: member.HOSTS)
"""Every responder by the hosts it answers for."""
