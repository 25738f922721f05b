"""Check which words are recognised as the verb of an order."""

import pytest

from prompts.language.orders import ORDER_VERBS, base_form, order_verb


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Find a mooring", "find"),
        ("reserves a berth", "reserve"),
        ("copies the chart", "copy"),
        ("Searches for ferries", "search"),
        ("search and filter the moorings", "search"),
        ("plays a shanty", "play"),
        ("check that a berth is free", "check"),
        ("booking a berth", "book"),
        ("getting the tide", "get"),
        ("sharing my place", "share"),
        ("looking for a boat", "look"),
        ("enable the lamp", "enable"),
        ("Weather of a town", ""),
        ("boats that are free", ""),
        ("what is on in a harbour", ""),
        ("list of moorings", ""),
        ("schedules and fares", ""),
        ("plays in a harbour", ""),
        ("order that was placed", ""),
        ("returns a list of ferries", ""),
        ("enables users to moor", ""),
        ("helps to find a boat", ""),
        ("booking service for boats", ""),
        ("parking for a day", ""),
        ("the tide of a day", ""),
        ("is a boat there", ""),
        ("", ""),
    ],
)
def test_order_verb_is_found_only_in_orders(text: str, verb: str) -> None:
    assert order_verb(text.split()) == verb


def test_listed_order_verbs_are_base_forms() -> None:
    assert {verb for verb in ORDER_VERBS if base_form(verb) != verb} == set()
