"""Shares."""

from benchloom.worlds.suites.everyday.asking.draws import day, number, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests
from benchloom.worlds.suites.everyday.requests._things import COMPANY_OF

_COMPANY = Named(
    tool="stocks.search_companies",
    query="query",
    name="name",
    field="symbol",
    text="{name}",
)
_PAST = day(-20, -3)
REQUESTS = Requests(
    questions=(
        Question(
            text="tell me what a share of {it}",
            about=Named(
                tool="stocks.get_close",
                by={"symbol": _COMPANY},
                field="price_cents",
                text="{symbol} costs",
                one=True,
            ),
        ),
        Question(
            text="look up what a share of {it}",
            about=Named(
                tool="stocks.get_close",
                by={"symbol": _COMPANY, "date": _PAST},
                field="price_cents",
                text="{symbol} cost on {date}",
                one=True,
            ),
        ),
        Question(
            text="work out what {it}",
            about=Named(
                tool="stocks.value_shares",
                by={"shares": number(3, 90), "symbol": _COMPANY},
                field="amount_cents",
                text="{shares} shares of {symbol} are worth",
                one=True,
            ),
        ),
        Question(
            text="work out what {it}",
            about=Named(
                tool="stocks.value_shares",
                by={"shares": number(3, 90), "symbol": _COMPANY, "date": _PAST},
                field="amount_cents",
                text="{shares} shares of {symbol} were worth on {date}",
                one=True,
            ),
        ),
        Question(
            text="find out {it}",
            about=Named(
                tool="stocks.dearest_share",
                by={"sector": words("energy", "food", "goods", "transport")},
                field="symbol",
                text="which share in {sector} is the dearest",
                one=True,
            ),
        ),
        Question(
            text="tell me the stock symbol of {it}",
            about=Named(
                tool="stocks.search_companies",
                by={"query": COMPANY_OF},
                field="symbol",
                text="the firm that {query} works for",
            ),
        ),
    ),
)
