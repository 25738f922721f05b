"""Define the five roles in which a model writes a tool dialogue: prompts, inputs and replies."""

import msgspec

from prompts.tools.call_sequence import CallReply
from prompts.tools.tool import Tool

DOMAIN_RULES = """
Role: you decide what the conversation is about. Read the APIs in "apis" and name one everyday
field of life that several of them serve, and one person with a concrete need in it.
"""
APIS_RULES = """
Role: you choose the tools. Pick from "apis" those that answer the person's need: exactly one for
the abilities "Call" and "Retrieve+Call", two or three for "Plan+Retrieve+Call". Copy their names
letter by letter.
"""
QUERY_RULES = """
Role: you speak for the person. Write what they say first, in plain English, with every fact the
chosen tools need as input. Name no tool and no parameter.
"""
CALLS_RULES = """
Role: you are the assistant. Solve the request with the tools in "apis".
- "keywords": three to eight words you would type to find the tools in a large catalogue.
- "calls": the calls in order, labelled var1, var2, ..., at most five; of several tools, more than
  one. Only declared parameters, all that are not optional, and only listed values where "values" is
  not empty. A value that an earlier call gives back is written $var1.field$, with a field from that
  API's "returns".
- "response": what you tell the person once the calls are done, without inventing results.
"""
TESTER_RULES = """
Role: you test the conversation before it is published. Say whether the request is natural, the
calls answer it with values from the request alone, and the response promises nothing more.
- "why": first, one short sentence about the weakest of the three.
- "accepted": true only when all three hold.
"""


class DomainData(msgspec.Struct, frozen=True):
    """The input of the first role, which chooses what the conversation is about."""

    ability: str
    apis: tuple[Tool, ...]


class DomainReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of the first role: an area of life and a need."""

    domain: str
    need: str


class ApisData(msgspec.Struct, frozen=True):
    """The input of the second role, which chooses the tools."""

    ability: str
    domain: str
    need: str
    apis: tuple[Tool, ...]


class ApisReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of the role that chooses tools: their names."""

    apis: tuple[str, ...]


class QueryReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply that contains the user's first utterance."""

    query: str


class CallsData(msgspec.Struct, frozen=True):
    """The input of the fourth role, the assistant, which solves the request with the tools."""

    query: str
    apis: tuple[Tool, ...]


class CallsReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of the assistant's role: search words, calls, and the closing answer."""

    keywords: str
    calls: tuple[CallReply, ...]
    response: str


class TesterData(msgspec.Struct, frozen=True):
    """The input of the fifth role, which accepts or rejects the dialogue."""

    query: str
    apis: tuple[Tool, ...]
    calls: tuple[CallReply, ...]
    response: str


class TesterReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tester's reply: whether it accepts the dialogue, and why."""

    why: str
    accepted: bool


class Dialogue(msgspec.Struct, frozen=True):
    """A whole dialogue, as a row of `queries` stores it in the column `structured`.

    `found` are the APIs that a search for the `keywords` finds.
    """

    ability: str
    domain: str
    need: str
    query: str
    keywords: str
    found: tuple[str, ...]
    calls: tuple[CallReply, ...]
    response: str
