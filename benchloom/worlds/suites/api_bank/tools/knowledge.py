"""Tools that answer questions about symptoms, history and prices of stocks.

These databases are large and never change, so that they stay beside the state of a session: all
sessions of a world share them.
"""

from collections.abc import Mapping

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases, Disease
from benchloom.worlds.suites.api_bank.part import Part, need, refused
from benchloom.worlds.tool import read_tool


class Illness(msgspec.Struct, frozen=True):
    """What a symptom may come from."""

    name: str
    description: str


class Aid(msgspec.Struct, frozen=True):
    """What helps against what a symptom may come from."""

    name: str
    aid: str


def _tools(databases: Databases) -> Mapping[str, object]:
    symptoms = {_key(name): disease_list for name, disease_list in databases.symptom.items()}

    def diseases(state: State, tool_name: str, symptom: str) -> list[Disease]:
        need(state, symptom, (tool_name, 0), "no symptom is named")
        disease_list = symptoms.get(_key(symptom))
        if disease_list is None:
            raise refused(state, "not_found", (tool_name, 1), "the symptom is not known")
        return disease_list

    @read_tool()
    def SymptomSearch(state: State, *, symptom: str) -> list[Illness]:
        """Tell what a symptom may come from."""
        disease_list = diseases(state, "SymptomSearch", symptom)
        return [Illness(disease.name, disease.description) for disease in disease_list]

    @read_tool()
    def EmergencyKnowledge(state: State, *, symptom: str) -> list[Aid]:
        """Tell what helps against what a symptom may come from."""
        disease_list = diseases(state, "EmergencyKnowledge", symptom)
        return [Aid(disease.name, disease.aid) for disease in disease_list]

    @read_tool(date="the day, like 01-31.")
    def QueryHistoryToday(state: State, *, date: str) -> list[str]:
        """Tell what happened on a day of the year."""
        events = databases.history.get(date.strip())
        if events is None:
            raise refused(state, "not_found", ("QueryHistoryToday", 0), "nothing is known of it")
        return [
            f"Title: {event.title}, Date: {event.date}, Description: {event.description}"
            for event in events
        ]

    @read_tool(stock_code="the sign of the stock.", date="the day, like 2023-01-31.")
    def QueryStock(state: State, *, stock_code: str, date: str) -> float:
        """Tell the price of a stock on a day."""
        need(state, stock_code, ("QueryStock", 0), "no stock is named")
        prices = databases.stock.get(stock_code.strip())
        if prices is None:
            raise refused(state, "not_found", ("QueryStock", 1), "there is no such stock")
        if date.strip() not in prices:
            raise refused(state, "not_found", ("QueryStock", 2), "no price is known of this day")
        return prices[date.strip()]

    return locals()


def _key(text: str) -> str:
    return text.strip().lower()


PART = Part(
    looks_up=_tools,
    descriptions={"symptom": "what somebody feels."},
    goals={
        "EmergencyKnowledge": "find out what helps against an illness",
        "QueryHistoryToday": "find out what happened on a day in history",
        "QueryStock": "find out the price of a stock on a day",
        "SymptomSearch": "find out what a symptom may come from",
    },
)
