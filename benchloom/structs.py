"""Records that several threads convert into.

msgspec (0.22) reads the fields of a struct when something is first decoded or converted into it,
and shows a struct whose fields are half read to other threads meanwhile: two threads that are the
first at once end the interpreter with a segmentation fault.
"""

from collections.abc import Iterator

import msgspec


def settle_structs() -> None:
    """Read the fields of every struct that is loaded; call it before threads are started."""
    for struct in _loaded(msgspec.Struct):
        try:
            msgspec.json.Decoder(struct)
        except (TypeError, NameError, AttributeError):
            continue  # nothing is decoded into it: its fields are types that msgspec does not know


def _loaded(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for struct in base.__subclasses__():
        yield struct
        yield from _loaded(struct)
