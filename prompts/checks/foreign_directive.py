"""Check that the text contains no orders or links that strangers hid in the source.

The names and comments of a shortcut are written by strangers; a model may copy their orders.
"""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import plain
from prompts.subject import Subject

_ORDERS = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(instruction|prompt|rule|above|"
    r"previous|guideline|polic)|\bsystem prompt\b|(?<!my )\b(api|secret) key\b|"
    r"\bdeveloper mode\b|\bjailbreak|\byou are now\b|\bprompt injection\b|\bpwned\b|"
    r"\bact as (a|an|the)\b|\binstructions? (above|below)\b|<script|\bbase64\b.{0,20}\bdecode\b",
    re.IGNORECASE | re.DOTALL,
)
_LINK = re.compile(r"https?://[^\s\"'<>)]+|\bwww\.[^\s\"'<>)]+", re.IGNORECASE)
_MAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}")


def examine(subject: Subject) -> Finding:
    """Drops texts with orders to a model, or with a link or address that no value contains.

    Links and addresses in values that the text must state are allowed.
    """
    order = _ORDERS.search(subject.text)
    if order is not None:
        return dropped("foreign_order", f"says {order.group()!r}")
    allowed = " ".join(plain(entry.value) for entry in subject.required)
    for match in (*_LINK.finditer(subject.text), *_MAIL.finditer(subject.text)):
        if plain(match.group()) not in allowed:
            return dropped("foreign_address", "a link or address that no value has")
    return passing("no orders, links or addresses of others")


CHECK = Check(
    name="foreign_directive",
    kinds=frozenset({"query", "instruction", "category", "nested", "dialogue"}),
    explains={
        "foreign_address": "The text contains a link or address that is in no value.",
        "foreign_order": "The text contains an order to the model that writes or judges it.",
    },
    examine=examine,
)
