"""Read and mutate files of API definitions for the fuzz targets of all their formats."""

import functools
import json
import plistlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from parsers.definitions import DEFINITION_FORMATS, DefinitionContext, TextTables
from parsers.definitions.documents import read_document
from parsers.errors import ParseError
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.rows import store_rows
from tests.fuzz.trees import mutate_tree

_TEXTS = TextTables(({"PLANT_TITLE": "Plant Seed", "dEsC01": "Brews a cup."},))


def reader_of(source_kind: str) -> Callable[[bytes], int]:
    """Return a function that reads a file of a format, even a damaged one, and stores its rows."""
    return functools.partial(_read, source_kind)


def _read(source_kind: str, data: bytes) -> int:
    context = DefinitionContext(f"mutant.{source_kind}", app="org.example.app", texts=_TEXTS)
    parse_result = DEFINITION_FORMATS.all()[source_kind].parse(data, context)
    return store_rows("api_definitions", parse_result.definitions)


def mutator(words: Sequence[bytes]) -> Callable[[Random, Sequence[bytes]], bytes]:
    """Return a function that mutates a file; half of its mutants are valid with odd values."""

    def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
        if chance.random() < 0.5:
            with suppress(ParseError, OverflowError, TypeError, ValueError, RecursionError):
                data = chance.choice(files)
                is_json = data.lstrip()[:1] in {b"{", b"["}
                root = read_document(data).root
                tree = mutate_tree(chance, root, property_list=not is_json)
                if is_json:
                    return json.dumps(tree).encode()
                form = plistlib.FMT_BINARY if chance.random() < 0.5 else plistlib.FMT_XML
                return plistlib.dumps(tree, fmt=form)  # type: ignore[arg-type]  # values of any type
        return mutate_bytes(chance, files, words)

    return mutate
