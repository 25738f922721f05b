"""What definitions tell about APIs and their parameters, as the decisions need it."""

from collections.abc import Mapping

import msgspec


class ParameterFacts(msgspec.Struct, frozen=True, gc=False):
    """What a definition tells about a parameter; `options` are titles by the values of an enum."""

    title: str = ""
    about: str = ""
    type: str = ""
    type_kind: str = ""
    options: Mapping[str, str] = {}


class ApiFacts(msgspec.Struct, frozen=True, gc=False):
    """What is known about an API: title, description and parameters by name."""

    api: str
    title: str
    description: str
    parameters: Mapping[str, ParameterFacts] = {}


NOTHING = ParameterFacts()


def facts_of(definitions: Mapping[str, ApiFacts], api: str, parameter: str) -> ParameterFacts:
    """What is known about a parameter; nothing where there is no definition."""
    facts = definitions.get(api)
    return NOTHING if facts is None else facts.parameters.get(parameter, NOTHING)
