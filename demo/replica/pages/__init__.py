"""Hand-made pages, one module per site; a module offers `HOSTS` and `answer(world, ask)`."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from demo.replica.exchange import Answer, Ask
from demo.replica.world import World

Responder = Callable[[World, Ask], Answer]


@cache
def responders() -> dict[str, Responder]:
    """Every host with the function that answers for it."""
    found: dict[str, Responder] = {}
    for module in pkgutil.iter_modules(__path__):
        site = importlib.import_module(f"{__name__}.{module.name}")
        for host in getattr(site, "HOSTS", ()):
            found[host] = site.answer
    return found
