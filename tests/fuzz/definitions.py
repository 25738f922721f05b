"""Reader and mutator shared by the targets of all formats of API definitions."""

import functools
import json
import plistlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from parsers.definitions import DEFINITION_FORMATS, DefinitionContext, TextTables
from parsers.definitions.documents import read_document
from parsers.errors import ParseError
from tests.fuzz.mutations import mutated
from tests.fuzz.rows import stored
from tests.fuzz.trees import mutated_tree

_TEXTS = TextTables(({"PLANT_TITLE": "Plant Seed", "dEsC01": "Brews a cup."},))


def reader_of(source_kind: str) -> Callable[[bytes], int]:
    """Return a function that reads one file of a format, however damaged, and stores its rows."""
    return functools.partial(_read, source_kind)


def _read(source_kind: str, data: bytes) -> int:
    context = DefinitionContext(f"mutant.{source_kind}", app="org.example.app", texts=_TEXTS)
    parse_result = DEFINITION_FORMATS.all()[source_kind].parse(data, context)
    return stored("api_definitions", parse_result.definitions)


def mutator(words: Sequence[bytes]) -> Callable[[Random, Sequence[bytes]], bytes]:
    """Half of the mutants are sound documents that hold something odd."""

    def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
        if chance.random() < 0.5:
            with suppress(ParseError, OverflowError, TypeError, ValueError, RecursionError):
                data = chance.choice(files)
                is_json = data.lstrip()[:1] in {b"{", b"["}
                root = read_document(data).root
                tree = mutated_tree(chance, root, property_list=not is_json)
                if is_json:
                    return json.dumps(tree).encode()
                form = plistlib.FMT_BINARY if chance.random() < 0.5 else plistlib.FMT_XML
                return plistlib.dumps(tree, fmt=form)  # type: ignore[arg-type]  # values of any type
        return mutated(chance, files, words)

    return mutate
