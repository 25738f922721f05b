"""Check that tool search works offline and returns the same results every time."""

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
def test_keyword_search_ranks_the_best_tool_first(request_text: str, best: str) -> None:
    assert KeywordSearcher(TOOLS).search(request_text)[0].api == best


def test_catalogue_order_does_not_change_results() -> None:
    searcher, other = KeywordSearcher(TOOLS), KeywordSearcher(TOOLS[::-1])
    for text in ("add a song to my notes", "play", "time"):
        assert searcher.search(text) == other.search(text)


def test_query_without_common_words_finds_no_tool() -> None:
    assert KeywordSearcher(TOOLS).search("xylophone zebra") == ()
    assert KeywordSearcher([]).search("anything") == ()


def test_equal_matches_are_sorted_by_name_at_any_limit() -> None:
    equal_tools = [Tool(f"x.{number:02}", "Bake bread", "") for number in range(40)]
    for most in (1, 5, 39, 100):
        matches = KeywordSearcher(equal_tools[::-1]).search("bread", most)
        assert [tool.api for tool in matches] == [tool.api for tool in equal_tools[:most]]


def test_rare_words_and_short_texts_rank_higher() -> None:
    tools = [
        *(Tool(f"a.{number}", "Bake bread", "") for number in range(9)),
        Tool("b.long", "Slice cake", "with knives forks spoons plates napkins candles"),
        Tool("b.short", "Slice cake", ""),
    ]
    matches = KeywordSearcher(tools).search("bread with cake", 11)
    assert [tool.api for tool in matches[:2]] == ["b.short", "b.long"]
    assert len(matches) == 11


@pytest.mark.parametrize("tools", [[], [Tool("", "", "")], [Tool("", "", "the of and")]])
def test_catalogue_without_words_finds_no_tool(tools: list[Tool]) -> None:
    assert KeywordSearcher(tools).search("the bread") == ()
    assert KeywordSearcher(tools).search("") == ()


def test_vector_search_finds_tools_without_common_words() -> None:
    pytest.importorskip("wordllama")
    searcher = open_searcher(TOOLS, vectors=True)
    assert isinstance(searcher, VectorSearcher)
    assert searcher.search("I want to hear some jazz tunes", 1)[0].api == "media.play"
    assert searcher.search("is it hot or cold today", 1)[0].api == "weather.today"
    assert VectorSearcher([]).search("anything") == ()
