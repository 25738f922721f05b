"""Tests of vendor tokens: every published form of a token is found and redacted whole."""

import re
import string
from collections.abc import Iterable
from importlib import import_module
from random import Random
from typing import Any

import pytest

from benchloom.normalise.redaction import redact_text
from benchloom.normalise.redaction.finders import vendor_tokens
from benchloom.normalise.redaction.texts import finders_for

codes: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
"""Python's own parser of regular expressions; these modules have no published types."""
FORMS = [
    *((kind, form) for kind, every in vendor_tokens.FORMS.items() for form in every),
    *(
        (kind, before + middle + behind)
        for kind, (middle, before, behind) in vendor_tokens.MIDDLES.items()
    ),
]


def draw_match(parsed: Iterable[tuple[Any, Any]], chance: Random) -> str:
    """Return a random text for a parsed pattern; lookaheads may make it not match."""
    return "".join(_draw_operand(code, operand, chance) for code, operand in parsed)


def _draw_operand(code: Any, operand: Any, chance: Random) -> str:
    match code:
        case codes.LITERAL:
            return chr(operand)
        case codes.IN:
            return chance.choice(_class_characters(operand))
        case codes.MAX_REPEAT:
            least, most, inner = operand
            count = chance.randint(least, min(most, least + 3))
            return "".join(draw_match(inner, chance) for _ in range(count))
        case codes.BRANCH:
            return draw_match(chance.choice(operand[1]), chance)
        case codes.SUBPATTERN:
            return draw_match(operand[3], chance)
        case codes.ANY:
            return "x"
    return ""


def _class_characters(members: list[tuple[Any, Any]]) -> str:
    characters = ""
    for code, value in members:
        if code is codes.RANGE:
            characters += "".join(map(chr, range(value[0], value[1] + 1)))
        elif code is codes.LITERAL:
            characters += chr(value)
        elif value is codes.CATEGORY_DIGIT:
            characters += string.digits
    return characters


@pytest.mark.parametrize("form", [form for _, form in FORMS])
def test_published_token_form_is_found_and_redacted(form: str) -> None:
    chance = Random(38)
    pattern, parsed = re.compile(form), parser.parse(form)
    samples: list[str] = []
    for _ in range(80):
        sample = draw_match(parsed, chance)
        match = pattern.fullmatch(sample)
        if match is not None and sample[-1].isalnum():
            samples.append(sample)
    assert len(samples) >= 8, "the drawing does not fit the form"
    for sample in samples[:8]:
        for text in (sample, f"Use {sample} here", f'{{"a":"{sample}"}}'):
            assert vendor_tokens.FINDER in finders_for(text), sample
            assert sample not in redact_text(text).text
