"""One TLS context for Prefect's clients, where the server they speak to has no TLS.

Each client of Prefect reads the certificates of its package for itself, and every task makes two
clients: a second and more of processor time in a rebuild, for a server that is asked over `http`.
"""

import ssl
from functools import cache
from types import ModuleType


def share_contexts(address: str) -> None:
    """Have clients share a context from now on, if the address is one without TLS."""
    if not address.startswith("http://"):
        return
    from prefect.client import orchestration

    shared = ModuleType("ssl")
    shared.__dict__.update(vars(ssl))
    shared.__dict__["create_default_context"] = _context
    vars(orchestration)["ssl"] = shared  # it looks the name up there, and nothing else does


@cache
def _context(cafile: str | None = None) -> ssl.SSLContext:
    """What `ssl.create_default_context` gives, once for each file of certificates."""
    return ssl.create_default_context(cafile=cafile)
