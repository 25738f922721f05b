"""Find sources for the values in requests, which are things with a name or drawn values."""

from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.records import Parameter
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.wants import Draw, Drawn, Named, Source
from benchloom.worlds.suites.definitions.methods import entity_of
from benchloom.worlds.suites.definitions.requests.phrases import is_page, label_of, worded
from benchloom.worlds.suites.definitions.seeds import names_for, new_names, old_names, values_for
from benchloom.worlds.suites.definitions.tables import Entity, finds_by_name
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.verbs import is_switch
from benchloom.worlds.suites.definitions.words import singular

_GENERAL = frozenset({"item", "target", "thing"})


class Sources:
    """Finds sources for the values in requests to an app.

    A source draws a value for a parameter, with the words for the value in the request. Requests
    that name things of the same entity share one source.
    """

    def __init__(self, tools: Sequence[DefinedTool], entities: Mapping[str, Entity]) -> None:
        self._entities = entities
        self.finders = {tool.method.entity: tool for tool in tools if finds_by_name(tool.method)}
        self._named: dict[tuple[str, str], Named] = {}

    def source(
        self, parameter: Parameter, about: str, switch: Sequence[str], *, names: bool
    ) -> "Source | None":
        """Return the source of a parameter's value, or None if no fitting value is known.

        `about` contains words that suggest values: words for the object of the API and the noun of
        its entity, or `SEARCH` for a search. `switch` has the words for on and off, or is empty.
        `names` is true if the value is the name of a new entity.
        """
        entity = self._entities.get(entity_of(parameter))
        if entity is not None:
            return self._thing(parameter, entity)
        if is_switch(parameter):
            title = (parameter.title or "").removeprefix("Is ")
            on, off = switch or (f'"{title}" on', f'"{title}" off')
            return _switch(parameter, on, off)
        values = (new_names(about) if names else ()) or values_for(parameter, about)
        if not values:
            return None

        def draw(dice: Dice) -> Drawn:
            value = dice.one_of(values)
            text, is_apart = worded(value, parameter)
            return Drawn([value] if parameter.multiple else value, text, is_apart)

        return draw

    def noun(self, parameter: Parameter) -> str:
        """Return a parameter's title as a noun, or its entity's noun if the title is general."""
        noun = entity_of(parameter)
        if is_page(noun):
            return "page"
        label = singular(label_of(parameter).partition(" or ")[0])
        is_vague = label in _GENERAL and " " in noun
        return (noun if not label or is_vague else label).removeprefix("any ")

    def named(self, entity: Entity, noun: str) -> Named:
        """Return the source that draws a named thing of an entity.

        A search finds the thing by its name; `noun` is the word for the thing in requests.
        """
        key = entity.noun, noun
        if key not in self._named:
            finder = self.finders[entity.noun]
            self._named[key] = Named(
                f"{finder.app}.{finder.name}",
                "id",
                f'the {noun} "{{name}}"',
                query=finder.method.target,
                name="name",
                listing={finder.method.target: ""},
            )
        return self._named[key]

    def _thing(self, parameter: Parameter, entity: Entity) -> "Source | None":
        """Return the source of existing things of an entity, or None if requests cannot name them.

        Requests use the everyday noun of the parameter, so the names that fit this noun must be
        the names in the table of the entity.
        """
        names, noun = old_names(entity.noun), self.noun(parameter)
        is_called_so = noun.split()[-1:] == entity.noun.split()[-1:] or is_page(entity.noun)
        if not names or entity.is_single:
            return None
        if not is_called_so and names_for(noun) != names_for(entity.noun):
            return None
        if entity.noun in self.finders:
            thing = self.named(entity, noun)
            return msgspec.structs.replace(thing, many=True) if parameter.multiple else thing

        def draw(dice: Dice) -> Drawn:
            name = dice.one_of(names)
            return Drawn([name] if parameter.multiple else name, f'the {noun} "{name}"')

        return draw


def always_empty(dice: Dice) -> Drawn:
    """Draw an empty list, as the value of a required list parameter without known values."""
    del dice
    return Drawn([], "")


def _switch(parameter: Parameter, on: str, off: str) -> Draw:
    def draw(dice: Dice) -> Drawn:
        if parameter.type == "Boolean":
            is_on = dice.chance(5)
            return Drawn(is_on, on if is_on else off, apart=True)
        is_on = parameter.default == '"on"'
        return Drawn("on" if is_on else "off", on if is_on else off, apart=True)

    return draw
