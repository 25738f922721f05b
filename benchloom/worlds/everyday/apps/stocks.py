"""The app for prices of shares, whose tools look up the prices on past days."""

from datetime import timedelta
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import Date, Query, day, drawn, first_of, in_days, today
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import State
from benchloom.worlds.tool import App, read_tool, tools_of

Sector: TypeAlias = Literal["energy", "finance", "food", "goods", "media", "transport"]
Symbol: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{4}$(?!\n)")]
Shares: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
_SESSIONS = 30
"""The number of past trading days, from Monday to Friday, with a closing price."""
COMPANIES = (
    ("ALDR", "Alder Grocers", "food"),
    ("BRFE", "Brisk Ferries", "transport"),
    ("GULL", "Gull Paper", "goods"),
    ("KETL", "Kettle Tiles", "goods"),
    ("LANT", "Lantern Works", "energy"),
    ("LOMM", "Lomm Water", "energy"),
    ("OSTI", "Osterby Insurance", "finance"),
    ("QUAY", "Quay Street Shops", "food"),
    ("SKLN", "Skerry Lines", "transport"),
    ("TERN", "Tern Telephone", "media"),
)
_SCHEMA = """
CREATE TABLE companies (
    symbol TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    sector TEXT NOT NULL
) STRICT;
CREATE TABLE closes (
    symbol TEXT NOT NULL REFERENCES companies (symbol),
    date TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    PRIMARY KEY (symbol, date)
) STRICT;
"""


class Company(msgspec.Struct, frozen=True):
    """A company whose shares are traded."""

    symbol: str
    name: str
    sector: Sector


class Close(msgspec.Struct, frozen=True):
    """The closing price of a share on a day."""

    symbol: str
    date: str
    price_cents: int


class Worth(msgspec.Struct, frozen=True):
    """The value of a number of shares."""

    symbol: str
    date: str
    amount_cents: int


CLOSES = Table("closes", Close, order="date")
COMPANIES_BY_NAME = Table("companies", Company, searched=("name", "symbol"))


@read_tool(query="a part of the name or the symbol.", sector="only companies of this sector.")
def search_companies(
    state: State, *, query: Query = "", sector: Sector | None = None
) -> list[Company]:
    """Find companies, by name."""
    return COMPANIES_BY_NAME.search(state, query, sector=sector)


@read_tool(
    symbol="the symbol of the company, four letters.",
    date="a trading day; the default is the latest.",
)
def get_close(state: State, *, symbol: Symbol, date: Date | None = None) -> Close:
    """Return the closing price of a share on a day."""
    state.row("companies", symbol=symbol)
    on = None if date is None else day(date).isoformat()
    closes_then = CLOSES.search(state, symbol=symbol, date=on)
    return first_of(
        closes_then[::-1], "unavailable", f"{on} is not a trading day with known prices"
    )


@read_tool(
    symbol="the symbol of the company, four letters.", since="the first day.", until="the last day."
)
def search_closes(
    state: State, *, symbol: Symbol, since: Date | None = None, until: Date | None = None
) -> list[Close]:
    """Find the daily closing prices of a share, oldest first."""
    state.row("companies", symbol=symbol)
    return CLOSES.search(state, where=in_days("date", since, until), symbol=symbol)


@read_tool(
    symbol="the symbol of the company, four letters.",
    shares="how many.",
    date="a trading day; the default is the latest.",
)
def value_shares(
    state: State, *, symbol: Symbol, shares: Shares, date: Date | None = None
) -> Worth:
    """Calculate the value of a number of shares."""
    close = get_close(state, symbol=symbol, date=date)
    return Worth(symbol, close.date, shares * close.price_cents)


@read_tool(sector="the sector.")
def dearest_share(state: State, *, sector: Sector) -> Close:
    """Return the share of a sector with the highest closing price on the latest day."""
    symbols = [company.symbol for company in search_companies(state, sector=sector)]
    closes = [get_close(state, symbol=company_symbol) for company_symbol in symbols]
    return max(closes, key=lambda close: (close.price_cents, close.symbol))


def _fill(state: State) -> None:
    past = (day(today(state)) - timedelta(days=1 + ago) for ago in range(2 * _SESSIONS))
    sessions = sorted([on.isoformat() for on in past if on.weekday() < 5][:_SESSIONS])
    for symbol, name, sector in COMPANIES:
        state.add("companies", symbol=symbol, name=name, sector=sector)
        price = 1_000 + 50 * drawn(200, "price", symbol)
        for on in sessions:
            price = max(100, price + price * (drawn(81, "step", symbol, on) - 40) // 1_000)
            state.add("closes", symbol=symbol, date=on, price_cents=price)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("stocks", globals()),
    frozen=("companies", "closes"),
    goals={
        "dearest_share": "find out which share of a sector is the most expensive",
        "get_close": "find out what a share cost at the end of a day",
        "value_shares": "find out what some shares are worth",
    },
)
