"""Check that lookup apps are consistent and give the same answers by different calls."""

from datetime import date

import pytest

from benchloom.worlds.everyday import everyday
from benchloom.worlds.everyday.apps.dictionary import WORDS
from benchloom.worlds.everyday.apps.translate import LANGUAGES
from benchloom.worlds.everyday.rules import CITIES
from tests.benchloom.worlds.suites.everyday.support import Visit

LOOKUP_APPS = ("weather", "stocks", "dictionary", "encyclopedia", "translate")
PURE_APPS = ("calculator", "units", "dates", "texts")


def test_lookup_and_pure_apps_are_read_only() -> None:
    assert {
        tool.reads for tool in everyday().tools.values() if tool.app in LOOKUP_APPS + PURE_APPS
    } == {True}
    assert everyday().frozen >= {"forecasts", "companies", "closes", "words", "articles", "phrases"}


def test_stock_prices_cover_working_days_and_add_up(visit: Visit) -> None:
    for company in visit.call("stocks.search_companies"):
        closes = visit.call("stocks.search_closes", symbol=company["symbol"])
        assert {date.fromisoformat(close_row["date"]).weekday() for close_row in closes} == {
            0,
            1,
            2,
            3,
            4,
        }
        last = visit.call("stocks.get_close", symbol=company["symbol"])
        assert last == closes[-1]
        worth = visit.call("stocks.value_shares", symbol=company["symbol"], shares=7)
        assert worth["amount_cents"] == sum(last["price_cents"] for _ in range(7))
    visit.refuses("unavailable", "stocks.get_close", symbol="ALDR", date="2027-03-14")
    visit.refuses("not_found", "stocks.get_close", symbol="ZZZZ")


def test_warmest_city_has_the_highest_temperature(visit: Visit) -> None:
    days = {forecast["date"] for forecast in visit.call("weather.search_forecasts", city="Lomm")}
    for day in days:
        warmest = visit.call("weather.warmest_city", date=day)
        highs = visit.cells("SELECT max(high_celsius) FROM forecasts WHERE date = ?", day)
        assert (warmest["high_celsius"],) == highs[0]
    visit.refuses("unavailable", "weather.get_forecast", city="Lomm", date="2027-05-01")


def test_next_dry_day_is_the_earliest(visit: Visit) -> None:
    for city in CITIES:
        forecast = visit.call("weather.next_dry_day", city=city)
        rows = visit.cells(
            "SELECT min(date) FROM forecasts WHERE city = ? AND rain_percent < 50", city
        )
        assert (forecast["date"],) == rows[0]


def test_synonym_of_a_word_differs_from_it(visit: Visit) -> None:
    words = {word for word, *_ in WORDS}
    assert len(words) == len(WORDS)
    for word in words:
        related = visit.session.call("dictionary.find_antonym", {"word": word})
        assert related.refused in {None, "not_found"}
        assert visit.call("dictionary.find_synonym", word=word)["word"] != word


def test_article_links_agree_in_both_directions(visit: Visit) -> None:
    articles = [article["article_id"] for article in visit.call("encyclopedia.search_articles")]
    links, backlinks = (
        {
            (article_id, other["article_id"])
            for article_id in articles
            for other in visit.call(f"encyclopedia.{name}", article_id=article_id)
        }
        for name in ("search_linked_articles", "search_naming_articles")
    )
    assert links == {(article_id, other) for other, article_id in backlinks}
    assert len(links) == 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", LANGUAGES)
def test_phrase_is_unchanged_after_translation_and_back(
    visit: Visit, language: str, other: str
) -> None:
    translate = "translate.translate_text"
    for phrase in visit.call("translate.search_phrases", language=language):
        text = phrase["text"]
        translation = visit.call(translate, text=text, language=language, to_language=other)["text"]
        back_translation = visit.call(
            translate, text=f"{translation}.", language=other, to_language=language
        )
        assert back_translation["text"] == text
