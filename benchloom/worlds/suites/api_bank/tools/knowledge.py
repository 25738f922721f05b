"""Tools that look up symptoms, historical events and stock prices.

Their databases are large and never change, so all sessions of a world share them.
"""

from collections.abc import Mapping

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases, Disease
from benchloom.worlds.suites.api_bank.part import Part, need, refused
from benchloom.worlds.tool import read_tool


class Illness(msgspec.Struct, frozen=True):
    """A disease that may cause a symptom."""

    name: str
    description: str


class Aid(msgspec.Struct, frozen=True):
    """A disease that may cause a symptom, with its treatment."""

    name: str
    aid: str


def _tools(databases: Databases) -> Mapping[str, object]:
    symptoms = {_key(name): disease_list for name, disease_list in databases.symptom.items()}

    def diseases(state: State, tool_name: str, symptom: str) -> list[Disease]:
        need(state, symptom, (tool_name, 0), "symptom is empty")
        disease_list = symptoms.get(_key(symptom))
        if disease_list is None:
            raise refused(state, "not_found", (tool_name, 1), "the symptom is unknown")
        return disease_list

    @read_tool()
    def SymptomSearch(state: State, *, symptom: str) -> list[Illness]:
        """Find the diseases that may cause a symptom."""
        disease_list = diseases(state, "SymptomSearch", symptom)
        return [Illness(disease.name, disease.description) for disease in disease_list]

    @read_tool()
    def EmergencyKnowledge(state: State, *, symptom: str) -> list[Aid]:
        """Find the treatments of the diseases that may cause a symptom."""
        disease_list = diseases(state, "EmergencyKnowledge", symptom)
        return [Aid(disease.name, disease.aid) for disease in disease_list]

    @read_tool(date="the day, like 01-31.")
    def QueryHistoryToday(state: State, *, date: str) -> list[str]:
        """Find the historical events of a day of the year."""
        events = databases.history.get(date.strip())
        if events is None:
            raise refused(state, "not_found", ("QueryHistoryToday", 0), "no event on this day")
        return [
            f"Title: {event.title}, Date: {event.date}, Description: {event.description}"
            for event in events
        ]

    @read_tool(stock_code="the symbol of the stock.", date="the day, like 2023-01-31.")
    def QueryStock(state: State, *, stock_code: str, date: str) -> float:
        """Return the price of a stock on a day."""
        need(state, stock_code, ("QueryStock", 0), "stock_code is empty")
        prices = databases.stock.get(stock_code.strip())
        if prices is None:
            raise refused(state, "not_found", ("QueryStock", 1), "the stock is unknown")
        if date.strip() not in prices:
            raise refused(state, "not_found", ("QueryStock", 2), "there is no price for this day")
        return prices[date.strip()]

    return locals()


def _key(text: str) -> str:
    return text.strip().lower()


PART = Part(
    looks_up=_tools,
    descriptions={"symptom": "the symptom."},
    goals={
        "EmergencyKnowledge": "find out what helps against an illness",
        "QueryHistoryToday": "find out what happened on a day in history",
        "QueryStock": "find out the price of a stock on a day",
        "SymptomSearch": "find out what a symptom may come from",
    },
)
