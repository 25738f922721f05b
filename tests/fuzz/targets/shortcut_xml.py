"""Fuzz shortcuts in XML property lists."""

import plistlib
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from parsers.errors import ParseError
from parsers.property_lists import read_xml, xml_start
from tests.fuzz import Target
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.shortcuts import demo_files, read_shortcut
from tests.fuzz.trees import mutate_tree

_WORDS = (
    b"<dict>", b"</dict>", b"<array>", b"</array>", b"<array/>", b"<key>", b"</key>", b"<true/>",
    b"<string>", b"</string>", b"<integer>0x7F</integer>", b"<integer>" + b"9" * 5000,
    b"<real>nan</real>", b"<date>2020-13-45T99:99:99Z</date>", b"<data>!</data>", b"<!--", b"-->",
    b"<![CDATA[", b"]]>", b"<!ENTITY a 'b'>", b"<!DOCTYPE plist [", b"encoding='utf-7'",
    b"encoding='punycode'", b"<?x?>", b"</plist>", b"<dict><key>CF$UID</key><integer>1</integer>",
)  # fmt: skip


def accepts(data: bytes) -> bool:
    """Return whether a file is an XML property list."""
    return xml_start(data) is not None


def seeds() -> list[bytes]:
    """Return the XML shortcuts of the demo."""
    return [data for data in demo_files() if accepts(data)]


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant; a third of the mutants are valid property lists with odd values."""
    if chance.random() < 0.3:
        with suppress(ParseError, OverflowError, TypeError, ValueError, RecursionError):
            root, _ = read_xml(chance.choice(files))
            tree = mutate_tree(chance, root, property_list=True)
            return plistlib.dumps(tree, fmt=plistlib.FMT_XML, sort_keys=False)  # type: ignore[arg-type]  # values of any type
    return mutate_bytes(chance, files, _WORDS)


TARGET = Target("shortcut-xml", seeds, read_shortcut, mutate, accepts=accepts)
