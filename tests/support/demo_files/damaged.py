"""Hand-made files that are not readable as shortcuts, each with its reason of rejection."""

import struct

from demo.containers import binary, signed, xml
from demo.drafts import Draft


def damaged_files() -> dict[str, tuple[bytes, str]]:
    """Return the bytes and the expected reason of every damaged file by its name."""
    sound = Draft("Sound")
    sound.add("gettext", WFTextActionText="sound")
    root = sound.build()
    container = signed(binary(root))
    return {
        "empty.shortcut": (b"", "empty_file"),
        "letter.txt": (b"Dear diary, this is no shortcut.", "unknown_format"),
        "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(64), "image"),
        "cut-binary.shortcut": (binary(root)[:-40], "bad_property_list"),
        "stub-binary.shortcut": (b"bplist00", "truncated"),
        "cut-xml.plist": (xml(root)[:-60], "bad_property_list"),
        "cut-json.json": (b'{"WFWorkflowActions": [', "bad_json"),
        "other-plist.plist": (xml({"CFBundleName": "Example"}), "not_a_shortcut"),
        "actions-as-text.plist": (xml({"WFWorkflowActions": "none"}), "not_a_shortcut"),
        "entities.plist": (_entities(), "entities"),
        "deep.plist": (_deep_xml(5000), "too_deep"),
        "deep.json": (b'{"WFWorkflowActions": ' + b"[" * 5000 + b"]" * 5000 + b"}", "too_deep"),
        "cyclic.shortcut": (_cyclic(), "cyclic"),
        "shared-references.shortcut": (_bomb(), "too_many_nodes"),
        "half-character.shortcut": (_lone_surrogate(), "bad_text"),
        "absurd-date.shortcut": (_absurd_date(), "bad_property_list"),
        "cut-signed.shortcut": (container[:400], "truncated"),
        "encrypted.shortcut": (container[:4] + b"\x05\0\0" + container[7:], "encrypted"),
        "garbled-signed.shortcut": (_overwrite_segment(container), "bad_signed_container"),
    }


def _entities() -> bytes:
    head = b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa">'
    levels = b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(8))
    return (
        head
        + levels
        + b']><plist version="1.0"><dict><key>x</key><string>&i;</string></dict></plist>'
    )


def _deep_xml(depth: int) -> bytes:
    inside = b"<array>" * depth + b"</array>" * depth
    return (
        b'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
        b"<key>WFWorkflowActions</key><array><dict><key>WFWorkflowActionIdentifier</key>"
        b"<string>is.workflow.actions.list</string><key>WFWorkflowActionParameters</key>"
        b"<dict><key>WFItems</key>" + inside + b"</dict></dict></array></dict></plist>"
    )


def _assemble(extra: list[bytes]) -> bytes:
    """Return a binary shortcut whose list action contains `extra` (objects 9 and up).

    `plistlib` cannot write cycles or shared containers, so the object table is made by hand.
    References are two bytes wide.
    """

    def key(word: str) -> bytes:
        return b"\x5f\x10" + bytes([len(word)]) + word.encode()

    def refs(*numbers: int) -> bytes:
        return b"".join(struct.pack(">H", number) for number in numbers)

    objects = [
        b"\xd1" + refs(1, 2),
        key("WFWorkflowActions"),
        b"\xa1" + refs(3),
        b"\xd2" + refs(4, 5, 6, 7),
        key("WFWorkflowActionIdentifier"),
        key("WFWorkflowActionParameters"),
        key("is.workflow.actions.list"),
        b"\xd1" + refs(8, 9),
        key("WFItems"),
        *extra,
    ]
    body, offsets = b"bplist00", []
    for encoded in objects:
        offsets.append(len(body))
        body += encoded
    table = len(body)
    body += b"".join(struct.pack(">I", offset) for offset in offsets)
    return body + struct.pack(">6xBBQQQ", 4, 2, len(objects), 0, table)


def _cyclic() -> bytes:
    """Return a shortcut with an array that contains itself (object 9)."""
    return _assemble([b"\xa1" + struct.pack(">H", 9)])


def _bomb() -> bytes:
    """Return a shortcut of 3 kB with 10^40 values: 40 arrays, each with the next one ten times."""
    return _assemble(
        [
            *(b"\xaa" + struct.pack(">H", 10 + level) * 10 for level in range(40)),
            b"\x09",
        ]
    )


def _lone_surrogate() -> bytes:
    """Return a shortcut with a UTF-16 text that is half a character."""
    return _assemble([b"\x61\xd8\x3d"])


def _absurd_date() -> bytes:
    """Return a shortcut with a date beyond the last date that Python can represent."""
    return _assemble([b"\x33" + struct.pack(">d", 1e300)])


def _overwrite_segment(container: bytes) -> bytes:
    """Return a signed container whose first segment is overwritten."""
    start = 12 + 96 + 18768
    return container[:start] + b"bvx2" + b"\xff" * 64 + container[start + 68 :]
