"""Facts from API definitions on which the decisions about literals depend."""

from collections.abc import Mapping

import msgspec


class ParameterFacts(msgspec.Struct, frozen=True, gc=False):
    """Facts from a definition about a parameter; `options` maps enum values to titles."""

    title: str = ""
    about: str = ""
    type: str = ""
    type_kind: str = ""
    options: Mapping[str, str] = {}


class ApiFacts(msgspec.Struct, frozen=True, gc=False):
    """Facts from a definition about an API: title, description, and parameters by name."""

    api: str
    title: str
    description: str
    parameters: Mapping[str, ParameterFacts] = {}


NOTHING = ParameterFacts()


def facts_of(definitions: Mapping[str, ApiFacts], api: str, parameter: str) -> ParameterFacts:
    """Return the known facts about a parameter; empty if there is no definition."""
    facts = definitions.get(api)
    return NOTHING if facts is None else facts.parameters.get(parameter, NOTHING)
