"""Hand-made pages, one module per site; a module offers `HOSTS` and `answer(world, ask)`."""

from typing import Protocol, runtime_checkable

from benchloom.kinds import Kind
from demo.replica.exchange import Answer, Ask
from demo.replica.world import World


@runtime_checkable
class Responder(Protocol):
    """What a module of this folder offers."""

    HOSTS: tuple[str, ...]

    def answer(self, world: World, ask: Ask) -> Answer:
        """What the site answers."""
        ...


RESPONDERS = Kind("replica host", __name__, Responder, names=lambda _, member: member.HOSTS)
"""Every responder by the hosts it answers for."""
