"""This module writes shortcuts in the file formats in which people share them."""

import json
import plistlib
import struct

import lzfse


def binary(root: dict[str, object]) -> bytes:
    """Return the file of a shortcut as a binary property list; `root` is the shortcut's content."""
    return plistlib.dumps(root, fmt=plistlib.FMT_BINARY, sort_keys=False)


def xml(root: dict[str, object]) -> bytes:
    """Return the file of a shortcut as an XML property list; `root` is the shortcut's content."""
    return plistlib.dumps(root, fmt=plistlib.FMT_XML, sort_keys=False)


def json_dump(root: object) -> bytes:
    """Return the file of a shortcut as JSON; `root` is the shortcut's content."""
    return json.dumps(root, ensure_ascii=False, indent=1).encode()


def signed(payload: bytes, *, stored: bool = False, segment: int = 4096) -> bytes:
    """Return a signed shortcut file (Apple Encrypted Archive) around a property list.

    The signature and the certificates are zeros. The archive is compressed in segments of `segment`
    bytes, or not compressed if `stored` is set.
    """
    archive = _archive(payload)
    chunks = [archive[at : at + segment] for at in range(0, len(archive), segment)]
    table, data = [], []
    for chunk in chunks:
        packed = chunk if stored else lzfse.compress(chunk)
        block = packed if len(packed) < len(chunk) else chunk
        table.append(struct.pack("<II32s", len(chunk), len(block), b""))
        data.append(block)
    authentication = bytes(96)
    head = b"AEA1" + bytes(4) + struct.pack("<I", len(authentication)) + authentication
    before_table = bytes(304)
    segments = b"".join(table).ljust(256 * 40, b"\0")
    gap = bytes(18768 - 304 - 256 * 40)
    return head + before_table + segments + gap + b"".join(data)


def _archive(payload: bytes) -> bytes:
    """Return an Apple Archive with an entry for a folder and an entry for the shortcut."""
    folder = _entry([b"TYP1D", b"PATP" + struct.pack("<H", 0)], b"")
    name = b"Shortcut.wflow"
    fields = [
        b"TYP1F",
        b"PATP" + struct.pack("<H", len(name)) + name,
        b"UID2" + struct.pack("<H", 501),
        b"MTMT" + bytes(12),
        b"DATB" + struct.pack("<I", len(payload)),
    ]
    return folder + _entry(fields, payload)


def _entry(fields: list[bytes], data: bytes) -> bytes:
    header = b"".join(fields)
    return b"AA01" + struct.pack("<H", len(header) + 6) + header + data
