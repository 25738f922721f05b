"""Tests of near search: looking only near marks finds the same matches as the whole text."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.normalise.redaction import FINDERS, finders
from benchloom.normalise.redaction.encoded_data import _DATA, _data
from benchloom.normalise.redaction.finders import Part, Span, TextFinder, matches, parts_near
from tests.support.samples.redaction import TEXTS
from tests.support.soak import samples

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
GLUE = """
@ %40 %2540 &#64; &commat; \\u0040 a.b mail host.example.com .de [1.2.3.4] @[ IPv6: %22 &quot; +49
(030) 555-123-4567 0 1 12 123 1234 12345678 ١٢ ° 52.520 13.405 . .123 -0. lat: longitude= N E , - /
( ) + 00 tel: tel call \u017fms: whatsapp:// wa.me/ phone= 电话 13912345678 192.168. .17. .4 ::
fe80: ab: cd- AB- 0a:1b:2c:3d:4e:5f 4111 1111 11111111 DE89 370400440532013000 ES A1B2 123-45-6789
12345678Z A z X 12 Main Street St Ave 5th N. Apt Springfield, IL 62701 Calle Via Corso de la Roma
Nº 10 Rua C/ Avda. Avda Plaza Lindenstraße weg bis rue Paix 号 北京市 路 [redacted:phone] \ufffc
\u200b \u0130 <td> " \\ : = tel:2345678 9.9.9.9 ab-cd-ef-ab-cd-ef 4222222222222 1.234,5.678 12.3456
lat:1.234
"""
PIECES = st.one_of(
    st.sampled_from([*GLUE.split(), " ", "  ", "\n"]),
    st.text("0123456789 .-:abcAB@/+()°,", min_size=1, max_size=12),
    st.builds(
        lambda seed, finder: Random(seed).choice(TEXTS[finder])(Random(seed))[1],
        st.integers(0, 999),
        st.sampled_from(sorted(TEXTS)),
    ),
)
WIDE = 8
"""Largest number of characters after its match that a pattern looks at."""


Matches = Callable[[re.Pattern[str], str, list[Part]], Iterator[re.Match[str]]]


def near_finders() -> dict[str, ModuleType]:
    """Return the modules of finders that search only near marks, by name."""
    finder_modules = {
        name: import_module(f"{finders.__name__}.{name}") for name in FINDERS.only(TextFinder)
    }
    return {name: module for name, module in finder_modules.items() if hasattr(module, "_REACH")}


def patch_matches(patch: pytest.MonkeyPatch, module: ModuleType, replacement: Matches) -> None:
    """Replace the search for a pattern's matches in a finder module."""
    for owner in (finders, module):  # `spans_of` or the finder itself calls it
        patch.setattr(owner, "matches", replacement, raising=owner is finders)


def find_near(module: ModuleType, text: str) -> list[Span]:
    """Return the spans that a finder reports, searching only near marks."""
    return list(module.FINDER.find(text))


def find_everywhere(module: ModuleType, text: str) -> list[Span]:
    """Return the spans of the same patterns, each tried at every character."""

    def match_everywhere(
        pattern: re.Pattern[str], text: str, parts: list[Part]
    ) -> Iterator[re.Match[str]]:
        del parts
        return pattern.finditer(text)

    with pytest.MonkeyPatch.context() as patch:
        patch_matches(patch, module, match_everywhere)
        return list(module.FINDER.find(text))


@settings(max_examples=samples(40, 5000), deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=60))
def test_near_search_misses_no_match(pieces: list[str]) -> None:
    for text in ("".join(pieces), " ".join(pieces)):
        for name, module in near_finders().items():
            assert find_near(module, text) == find_everywhere(module, text), name


@pytest.mark.parametrize("name", sorted(near_finders()))
def test_distant_samples_are_all_found(name: str) -> None:
    module, chance = near_finders()[name], Random(11)
    texts = [maker(chance)[1] for maker in TEXTS[name] for _ in range(20)]
    text = (" and so on;" * 200).join(texts)
    assert len(find_near(module, text)) >= len(texts)
    assert find_near(module, text) == find_everywhere(module, text)
    for piece in GLUE.split():  # the shortest texts a pattern matches, with no other mark near
        assert find_near(module, piece) == find_everywhere(module, piece), piece


@pytest.mark.parametrize("name", sorted(near_finders()))
def test_longest_match_is_within_the_reach(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, tried_patterns = near_finders()[name], set[re.Pattern[str]]()

    def record_pattern(
        pattern: re.Pattern[str], text: str, parts: list[Part]
    ) -> Iterator[re.Match[str]]:
        if parts != [(0, len(text))]:
            tried_patterns.add(pattern)
        return matches(pattern, text, parts)

    patch_matches(monkeypatch, module, record_pattern)
    for glue in (" ", " tel: \u00b0 " * 300):
        for maker in TEXTS[name]:
            find_near(module, maker(Random(3))[1] + glue + "Calle 12 Main St")
    assert tried_patterns
    # There is no public way to ask how long a match can be.
    parse: Any = import_module("re._parser").parse
    assert (
        max(parse(pattern.pattern).getwidth()[1] for pattern in tried_patterns) + WIDE
        <= module._REACH
    )


def test_parts_that_touch_are_merged() -> None:
    mark = re.compile("#")
    assert parts_near(mark, "#" + "." * 9 + "#" + "." * 30 + "#", 5) == [(0, 16), (36, 42)]
    assert parts_near(mark, "." * 40, 5) == []


@st.composite
def base64_texts(draw: st.DrawFn) -> str:
    """Draw lines of base64 of various lengths and line ends, between other texts."""
    chance, pieces = Random(draw(st.integers(0, 999))), []
    for _ in range(draw(st.integers(1, 3))):
        line = draw(st.sampled_from((59, 60, 64, 76, 1023, 1024)))
        end = draw(st.sampled_from(("\n", "\\n", "\r\n", "\\r\\n", "\n ", "\n\n", "", "=", " ")))
        count = draw(st.sampled_from((1, 15, 16, 17, 40)))
        pieces += ["".join(chance.choices(BASE64, k=line)) + end for _ in range(count)]
        pieces.append(draw(st.sampled_from(("", "\\n", "n", "é", "\ud800", " and so on", "AB+/"))))
    return "".join(pieces)


@settings(max_examples=samples(40, 2000), deadline=None)
@given(base64_texts())
def test_data_finder_matches_its_pattern(text: str) -> None:
    assert list(_data(text)) == [match.span() for match in _DATA.finditer(text)]
