"""Fuzz app bundles and nested archives as `parse definitions` reads them."""

import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from benchloom.core.records import Rejected
from benchloom.storage.inputs import InputLimits
from benchloom.storage.inputs.nested import list_nested_objects
from parsers.definitions.units import find_units, parse_unit
from tests.fuzz import Target
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.rows import store_rows
from tests.support.samples.bundles import brew_ipa, brew_members, zip_of

_WORDS = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"\xff\xff\xff\xff", b"../")
_LIMITS = InputLimits()


def seeds() -> list[bytes]:
    """Return an invented app, compressed and stored, and the same app inside another archive."""
    stored_app = brew_ipa(zipfile.ZIP_STORED)
    return [
        brew_ipa(),
        stored_app,
        zip_of({"apps/Brew.ipa": stored_app}, zipfile.ZIP_STORED),
        zip_of({"apps/Brew.ipa": stored_app}),
    ]


def accepts(data: bytes) -> bool:
    """Return whether a file is a zip archive."""
    return data.startswith(b"PK\x03\x04")


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant; half of the mutants are valid archives with one damaged member."""
    if chance.random() < 0.5:
        return mutate_bytes(chance, files, _WORDS)
    members = brew_members()
    name = chance.choice(sorted(members))
    return zip_of(members | {name: mutate_bytes(chance, [members[name]])})


def read(data: bytes) -> int:
    """Read every definition of the archive and convert it to columns."""
    rejected: list[Rejected] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / "mutant.zip"
        path.write_bytes(data)
        units, _ = find_units(list_nested_objects([path], stack, _LIMITS))
        definitions = [row for unit in units for row in parse_unit(unit, rejected)]
    return store_rows("api_definitions", definitions) + store_rows("rejected", rejected)


TARGET = Target("definition-bundles", seeds, read, mutate, accepts=accepts)
