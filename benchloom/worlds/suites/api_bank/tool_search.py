"""The search for tools: API-Bank asks an embedding model; here words that are shared count."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchloom.records.values import Plain
from benchloom.words import NAME_WORD
from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.casting import ApiBankTool
from benchloom.worlds.suites.api_bank.part import APP
from benchloom.worlds.tool import Tool, tool, tools_of

_TOKEN = "token"
_LOGIN = "GetUserToken"


def searcher(tools: Sequence[Tool]) -> Tool:
    """The tool that finds one of some tools, and the login beside it where that needs a token."""
    words = {f"{one.app}.{one.name}": _words(f"{one.name} {one.about}") for one in tools}
    named = {f"{one.app}.{one.name}": one for one in tools}

    @tool(reads=True)
    def ToolSearcher(state: State, *, keywords: str) -> list[dict[str, Any]]:
        """Find the tool for something, and the login where the tool asks for a token.

        Args:
            keywords: what to do.
        """
        del state
        wanted = _words(keywords)
        scores = {name: len(wanted & own) / len(own) for name, own in words.items() if own & wanted}
        if not scores:
            raise RefusedError("not_found", "no tool is about that")
        found = named[
            max(sorted(scores), key=lambda name: (len(words[name] & wanted), scores[name]))
        ]
        login = named.get(f"{APP}.{_LOGIN}")
        needs = login is not None and _TOKEN in found.parameters
        return [told(one) for one in ((login, found) if needs else (found,)) if one is not None]

    return tools_of(APP, locals(), ApiBankTool)[0]


def told(one: Tool) -> dict[str, Plain]:
    """What API-Bank tells of a tool."""
    properties: Mapping[str, Mapping[str, Plain]] = one.schema().get("properties", {})
    return {
        "name": one.name,
        "description": one.about,
        "input_parameters": {
            name: {"type": _type(kind), "description": one.parameters.get(name, "")}
            for name, kind in properties.items()
        },
        "output_parameters": {},
    }


def _type(kind: Mapping[str, Plain]) -> str:
    names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    found = str(kind.get("type", "list"))
    return names.get(found, "list" if found == "array" else found)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in NAME_WORD.findall(text))
