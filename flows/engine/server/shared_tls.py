"""Share one TLS context between Prefect's clients if their server uses no TLS.

Each Prefect client loads the certificates of its package again, and every task makes two
clients. This costs more than a second of processor time in a rebuild, for a server that is
reached over `http`.
"""

import ssl
from functools import cache
from types import ModuleType


def share_contexts(address: str) -> None:
    """Make all clients share one TLS context from now on, if the address uses no TLS."""
    if not address.startswith("http://"):
        return
    from prefect.client import orchestration

    shared = ModuleType("ssl")
    shared.__dict__.update(vars(ssl))
    shared.__dict__["create_default_context"] = _context
    vars(orchestration)["ssl"] = shared  # it looks the name up there, and nothing else does


@cache
def _context(cafile: str | None = None) -> ssl.SSLContext:
    """Return `ssl.create_default_context`, cached per certificate file."""
    return ssl.create_default_context(cafile=cafile)
