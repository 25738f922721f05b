"""Stocks: prices of shares on past days; they are looked up and never changed."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.arguments import Date, Query
from benchloom.worlds.suites.everyday.rules import day, first_of, in_days
from benchloom.worlds.suites.everyday.starts.lookups import COMPANIES, closes
from benchloom.worlds.suites.everyday.tables import Table
from benchloom.worlds.tool import App, read_tool, tools_of

Sector: TypeAlias = Literal["energy", "finance", "food", "goods", "media", "transport"]
Symbol: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{4}$(?!\n)")]
Shares: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
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
    """What a share cost at the end of a day."""

    symbol: str
    date: str
    price_cents: int


class Worth(msgspec.Struct, frozen=True):
    """What so many shares are worth."""

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
    symbol="the four letters of the company.",
    date="the day, on which there has to be trade; the last one, if it is absent.",
)
def get_close(state: State, *, symbol: Symbol, date: Date | None = None) -> Close:
    """Tell what a share cost at the end of a day."""
    state.row("companies", symbol=symbol)
    on = None if date is None else day(date).isoformat()
    closes_then = CLOSES.search(state, symbol=symbol, date=on)
    return first_of(closes_then[::-1], "unavailable", f"no trade is known of {on}")


@read_tool(symbol="the four letters of the company.", since="the first day.", until="the last day.")
def search_closes(
    state: State, *, symbol: Symbol, since: Date | None = None, until: Date | None = None
) -> list[Close]:
    """Tell what a share cost day by day, earliest first."""
    state.row("companies", symbol=symbol)
    return CLOSES.search(state, where=in_days("date", since, until), symbol=symbol)


@read_tool(
    symbol="the four letters of the company.",
    shares="how many.",
    date="the day of the price; the last one, if it is absent.",
)
def value_shares(
    state: State, *, symbol: Symbol, shares: Shares, date: Date | None = None
) -> Worth:
    """Tell what so many shares are worth."""
    close = get_close(state, symbol=symbol, date=date)
    return Worth(symbol, close.date, shares * close.price_cents)


@read_tool(sector="the sector.")
def dearest_share(state: State, *, sector: Sector) -> Close:
    """Tell which share of a sector costs most at the end of the last day."""
    symbols = [company.symbol for company in search_companies(state, sector=sector)]
    closes = [get_close(state, symbol=company_symbol) for company_symbol in symbols]
    return max(closes, key=lambda close: (close.price_cents, close.symbol))


def _fill(state: State) -> None:
    for symbol, name, sector in COMPANIES:
        state.add("companies", symbol=symbol, name=name, sector=sector)
    for symbol, on, price in closes():
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
