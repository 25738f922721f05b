"""The requests that users can make about the prices of shares, with their wording."""

from benchloom.worlds.requests.draws import day, number, words
from benchloom.worlds.requests.wants import Named, Requests, ask
from benchloom.worlds.suites.everyday.requests._objects import COMPANY_OF

_COMPANY = Named("stocks.search_companies", "symbol", "{name}", name="name")
_PAST = day(-20, -3)
REQUESTS = Requests(
    questions=(
        ask(
            "tell me what a share of {symbol} costs",
            "stocks.get_close",
            "price_cents",
            {"symbol": _COMPANY},
        ),
        ask(
            "look up what a share of {symbol} cost on {date}",
            "stocks.get_close",
            "price_cents",
            {"symbol": _COMPANY, "date": _PAST},
        ),
        ask(
            "work out what {shares} shares of {symbol} are worth",
            "stocks.value_shares",
            "amount_cents",
            {"shares": number(3, 90), "symbol": _COMPANY},
        ),
        ask(
            "work out what {shares} shares of {symbol} were worth on {date}",
            "stocks.value_shares",
            "amount_cents",
            {"shares": number(3, 90), "symbol": _COMPANY, "date": _PAST},
        ),
        ask(
            "find out which share in {sector} is the dearest",
            "stocks.dearest_share",
            "symbol",
            {"sector": words("energy", "food", "goods", "transport")},
        ),
        ask(
            "tell me the stock symbol of the firm that {query} works for",
            "stocks.search_companies",
            "symbol",
            {"query": COMPANY_OF},
        ),
    )
)
