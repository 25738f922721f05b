"""Tool search and the sampling of chains: offline and the same every time."""

import pytest

from prompts.tools.search import KeywordSearcher, VectorSearcher, open_searcher
from prompts.tools.tool import Tool

TOOLS = [
    Tool("media.play", "Play music", "Starts playback of a song or an album"),
    Tool("clock.alarm", "Set alarm", "Wakes you at a time of day"),
    Tool("weather.today", "Current weather", "Temperature and rain outside"),
    Tool("notes.add", "Add note", "Writes text into a notebook"),
]


@pytest.mark.parametrize(
    ("request_text", "best"),
    [
        ("put on an album by the Quills", "media.play"),
        ("will it rain outside", "weather.today"),
        ("waking me at seven", "clock.alarm"),
    ],
)
def test_keywords_find_the_tool(request_text: str, best: str) -> None:
    assert KeywordSearcher(TOOLS).search(request_text)[0].api == best


def test_the_order_of_the_catalogue_changes_nothing() -> None:
    searcher, other = KeywordSearcher(TOOLS), KeywordSearcher(TOOLS[::-1])
    for text in ("add a song to my notes", "play", "time"):
        assert searcher.search(text) == other.search(text)


def test_nothing_in_common_finds_nothing() -> None:
    assert KeywordSearcher(TOOLS).search("xylophone zebra") == ()
    assert KeywordSearcher([]).search("anything") == ()


def test_equals_come_in_the_order_of_their_names_wherever_the_list_is_cut() -> None:
    alike = [Tool(f"x.{number:02}", "Bake bread", "") for number in range(40)]
    for most in (1, 5, 39, 100):
        matches = KeywordSearcher(alike[::-1]).search("bread", most)
        assert [tool.api for tool in matches] == [tool.api for tool in alike[:most]]


def test_a_rare_word_outweighs_common_ones_and_a_short_text_a_long_one() -> None:
    tools = [
        *(Tool(f"a.{number}", "Bake bread", "") for number in range(9)),
        Tool("b.long", "Slice cake", "with knives forks spoons plates napkins candles"),
        Tool("b.short", "Slice cake", ""),
    ]
    matches = KeywordSearcher(tools).search("bread with cake", 11)
    assert [tool.api for tool in matches[:2]] == ["b.short", "b.long"]
    assert len(matches) == 11


@pytest.mark.parametrize("tools", [[], [Tool("", "", "")], [Tool("", "", "the of and")]])
def test_a_catalogue_without_words_finds_nothing(tools: list[Tool]) -> None:
    assert KeywordSearcher(tools).search("the bread") == ()
    assert KeywordSearcher(tools).search("") == ()


def test_vectors_find_what_shares_no_word() -> None:
    pytest.importorskip("wordllama")
    searcher = open_searcher(TOOLS, vectors=True)
    assert isinstance(searcher, VectorSearcher)
    assert searcher.search("I want to hear some jazz tunes", 1)[0].api == "media.play"
    assert searcher.search("is it hot or cold today", 1)[0].api == "weather.today"
    assert VectorSearcher([]).search("anything") == ()
