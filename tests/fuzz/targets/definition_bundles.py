"""App bundles and archives in archives, read as `parse definitions` reads them."""

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
from tests.fuzz.mutations import mutated
from tests.fuzz.rows import stored
from tests.support.samples.bundles import brew_ipa, brew_members, zip_of

_WORDS = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"\xff\xff\xff\xff", b"../")
_LIMITS = InputLimits()


def seeds() -> list[bytes]:
    """An invented app, packed and stored, and the same inside another archive."""
    stored_app = brew_ipa(zipfile.ZIP_STORED)
    return [
        brew_ipa(),
        stored_app,
        zip_of({"apps/Brew.ipa": stored_app}, zipfile.ZIP_STORED),
        zip_of({"apps/Brew.ipa": stored_app}),
    ]


def accepts(data: bytes) -> bool:
    """Whether a file is an archive."""
    return data.startswith(b"PK\x03\x04")


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Half of the mutants are sound archives with one damaged member."""
    if chance.random() < 0.5:
        return mutated(chance, files, _WORDS)
    members = brew_members()
    name = chance.choice(sorted(members))
    return zip_of(members | {name: mutated(chance, [members[name]])})


def read(data: bytes) -> int:
    """Every definition of the archive, through the columns of its table."""
    rejected: list[Rejected] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / "mutant.zip"
        path.write_bytes(data)
        units, _ = find_units(list_nested_objects([path], stack, _LIMITS))
        definitions = [row for unit in units for row in parse_unit(unit, rejected)]
    return stored("api_definitions", definitions) + stored("rejected", rejected)


TARGET = Target("definition-bundles", seeds, read, mutate, accepts=accepts)
