"""Shares."""

from benchloom.worlds.asking.draws import day, number, words
from benchloom.worlds.asking.wants import Named, Question, Requests
from benchloom.worlds.suites.everyday.requests._objects import COMPANY_OF

_COMPANY = Named("stocks.search_companies", "symbol", "{name}", name="name")
_PAST = day(-20, -3)
REQUESTS = Requests(
    questions=(
        Question(
            "tell me what a share of {it}",
            Named(
                "stocks.get_close",
                "price_cents",
                "{symbol} costs",
                by={"symbol": _COMPANY},
                one=True,
            ),
        ),
        Question(
            "look up what a share of {it}",
            Named(
                "stocks.get_close",
                "price_cents",
                "{symbol} cost on {date}",
                by={"symbol": _COMPANY, "date": _PAST},
                one=True,
            ),
        ),
        Question(
            "work out what {it}",
            Named(
                "stocks.value_shares",
                "amount_cents",
                "{shares} shares of {symbol} are worth",
                by={"shares": number(3, 90), "symbol": _COMPANY},
                one=True,
            ),
        ),
        Question(
            "work out what {it}",
            Named(
                "stocks.value_shares",
                "amount_cents",
                "{shares} shares of {symbol} were worth on {date}",
                by={"shares": number(3, 90), "symbol": _COMPANY, "date": _PAST},
                one=True,
            ),
        ),
        Question(
            "find out {it}",
            Named(
                "stocks.dearest_share",
                "symbol",
                "which share in {sector} is the dearest",
                by={"sector": words("energy", "food", "goods", "transport")},
                one=True,
            ),
        ),
        Question(
            "tell me the stock symbol of {it}",
            Named(
                "stocks.search_companies",
                "symbol",
                "the firm that {query} works for",
                by={"query": COMPANY_OF},
            ),
        ),
    )
)
