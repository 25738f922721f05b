"""Look-ups: tables that hold together, and the same answer by another way."""

from datetime import date

import pytest

from benchloom.worlds.everyday import everyday
from benchloom.worlds.everyday.apps.dictionary import WORDS
from benchloom.worlds.everyday.apps.translate import LANGUAGES
from benchloom.worlds.everyday.rules import CITIES
from tests.benchloom.worlds.suites.everyday.support import Visit

LOOKED_UP = ("weather", "stocks", "dictionary", "encyclopedia", "translate")
PURE = ("calculator", "units", "dates", "texts")


def test_looking_up_and_working_out_change_nothing() -> None:
    assert {tool.reads for tool in everyday().tools.values() if tool.app in LOOKED_UP + PURE} == {
        True
    }
    assert everyday().frozen >= {"forecasts", "companies", "closes", "words", "articles", "phrases"}


def test_prices_are_those_of_working_days_and_add_up(visit: Visit) -> None:
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


def test_the_warmest_city_is_no_colder_than_another(visit: Visit) -> None:
    days = {forecast["date"] for forecast in visit.call("weather.search_forecasts", city="Lomm")}
    for on in days:
        warm = visit.call("weather.warmest_city", date=on)
        highs = visit.cells("SELECT max(high_celsius) FROM forecasts WHERE date = ?", on)
        assert (warm["high_celsius"],) == highs[0]
    visit.refuses("unavailable", "weather.get_forecast", city="Lomm", date="2027-05-01")


def test_a_dry_day_is_the_first_one(visit: Visit) -> None:
    for city in CITIES:
        forecast = visit.call("weather.next_dry_day", city=city)
        rows = visit.cells(
            "SELECT min(date) FROM forecasts WHERE city = ? AND rain_percent < 50", city
        )
        assert (forecast["date"],) == rows[0]


def test_opposites_of_opposites_are_near(visit: Visit) -> None:
    words = {word for word, *_ in WORDS}
    assert len(words) == len(WORDS)
    for word in words:
        related = visit.session.call("dictionary.find_antonym", {"word": word})
        assert related.refused in {None, "not_found"}
        assert visit.call("dictionary.find_synonym", word=word)["word"] != word


def test_links_are_the_same_from_both_ends(visit: Visit) -> None:
    articles = [article["article_id"] for article in visit.call("encyclopedia.search_articles")]
    there, back = (
        {
            (one, other["article_id"])
            for one in articles
            for other in visit.call(f"encyclopedia.{name}", article_id=one)
        }
        for name in ("search_linked_articles", "search_naming_articles")
    )
    assert there == {(article_id, other) for other, article_id in back}
    assert len(there) == 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", LANGUAGES)
def test_phrases_are_translated_there_and_back(visit: Visit, language: str, other: str) -> None:
    translate = "translate.translate_text"
    for phrase in visit.call("translate.search_phrases", language=language):
        text = phrase["text"]
        there = visit.call(translate, text=text, language=language, to_language=other)["text"]
        back = visit.call(translate, text=f"{there}.", language=other, to_language=language)
        assert back["text"] == text
