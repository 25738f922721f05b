"""What people can want of an app, in plain sentences, by the verbs and titles of its APIs.

An API is left out if its title is no plain English, or if it requires a value that nothing here
fits: identifiers, paths, scripts, objects of the system.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import msgspec

from benchloom.core.records import Parameter
from benchloom.worlds.suites.definitions.methods import Method, entity_of
from benchloom.worlds.suites.definitions.phrases import (
    article,
    is_page,
    label_of,
    phrase_of,
    plain_title,
    switched,
    without_app,
    worded,
)
from benchloom.worlds.suites.definitions.seeds import SEARCH, SEARCHED, old_names, values_for
from benchloom.worlds.suites.definitions.tables import Entity, finds_by_name
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.verbs import is_operation, is_switch, own_parameters
from benchloom.worlds.suites.definitions.words import (
    noun_of_title,
    singular,
    subject_of,
    words_of,
)
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.suites.everyday.asking.wants import (
    Draw,
    Drawn,
    Named,
    Question,
    Requests,
    Source,
    Want,
)

_GAP = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LINK = re.compile(r"\b(?:URLs?|Link)\b")
_MOVES = frozenset({"move"})
_ADDED = re.compile(r"Add .* to ", re.IGNORECASE)
_SAYS_VALUE = re.compile(r" to ", re.IGNORECASE)
"""In names of settings that already say the value: `Change Speed To Low`."""
_BETWEEN = {"send": "to", "request": "from", "share": "with"}
_TEXT_TYPES = frozenset({"String", "AttributedString"})


class Wording:
    """Words the wants and questions of an app."""

    def __init__(self, tools: Sequence[DefinedTool]) -> None:
        self._tools = tools
        self._entities = tools[0].entities if tools else {}
        self._finders = {tool.method.entity: tool for tool in tools if finds_by_name(tool.method)}
        self._settings = {
            tool.method.entity: subject_of(tool.method.definition.title or "")
            for tool in tools
            if tool.method.verb == "find" and not tool.method.target
        }
        self._things: dict[tuple[str, str], Named] = {}

    def requests(self) -> Requests:
        """Return everything that people can want and ask."""
        return Requests(
            wants=tuple(chain.from_iterable(map(self._wants, self._tools))),
            questions=tuple(self._questions()),
        )

    def _wants(self, tool: DefinedTool) -> Iterator[Want]:
        method = tool.method
        title = plain_title(method.definition.title)
        if method.stub or not (title or self._is_setting(method)):
            return
        match method.verb:
            case "create":
                yield from self._creating(tool, title)
            case "delete":
                yield from self._with_target(tool, f"{words_of(title)[0]} {{target}}")
            case "update" | "toggle":
                for parameter in method.properties:
                    yield from self._setting(tool, parameter)
            case "run":
                yield from self._running(tool, title)

    def _is_setting(self, method: Method) -> bool:
        return method.verb in {"update", "toggle"} and bool(self._setting_name(method))

    def _creating(self, tool: DefinedTool, title: str) -> Iterator[Want]:
        method = tool.method
        noun = without_app(noun_of_title(title), method.definition.app or "") or method.entity
        verb = "add" if title.startswith("Add") else "create"
        naming = next((p for p in method.properties if p.name == method.naming), None)
        if is_page(noun):
            return
        others = [p for p in method.properties if p is not naming and label_of(p)]
        if naming is None:
            for pair in pairwise(others):
                yield from self._want(tool, f"{verb} {article(noun)}", pair, noun=noun)
            return
        text = f"{verb} {article(noun)} called {{{naming.name}}}"
        for extra in ((), *((other,) for other in others)):
            yield from self._want(tool, text, (naming, *extra), noun=noun)

    def _with_target(self, tool: DefinedTool, text: str) -> Iterator[Want]:
        target = self._parameter(tool.method, tool.method.target)
        if target is not None:
            yield from self._want(tool, text.replace("{target}", f"{{{target.name}}}"), (target,))

    def _setting(self, tool: DefinedTool, parameter: Parameter) -> Iterator[Want]:
        """Yield the want to set one property, of a thing or of a setting."""
        method = tool.method
        target = self._parameter(method, method.target)
        name = self._setting_name(method)
        chosen = (parameter,) if target is None else (parameter, target)
        gap, thing = f"{{{parameter.name}}}", f"{{{method.target}}}" if target else name
        if not thing:
            return
        label = label_of(parameter) or ("" if len(method.properties) > 1 else name)
        if target is None and _SAYS_VALUE.search(name):
            return
        if is_switch(parameter):
            ways = switched(label, has_target=target is not None)
            if ways is None:
                return
            text = f"{gap} {thing}" if target is None else ways[0].format(gap=gap, thing=thing)
            yield from self._want(tool, text, chosen, switch=ways[1:])
        elif target is None:
            text = f"set {thing} to {gap}" if len(method.properties) == 1 else ""
            yield from self._want(tool, text or f"set the {label} of {thing} to {gap}", chosen)
        elif parameter.name == method.naming:
            yield from self._want(tool, f"rename {thing} to {gap}", chosen)
        elif words_of(method.definition.title or "")[0] == "append":
            yield from self._want(tool, f"append {gap} to {thing}", chosen)
        elif entity_of(parameter) and _ADDED.match(method.definition.title or ""):
            yield from self._want(tool, f"add {thing} to {gap}", chosen)
        elif entity_of(parameter) and not _MOVES.isdisjoint(
            words_of(method.definition.title or "")
        ):
            yield from self._want(tool, f"move {thing} to {gap}", chosen)
        elif label:
            yield from self._want(tool, f"set the {label} of {thing} to {gap}", chosen)

    def _running(self, tool: DefinedTool, title: str) -> Iterator[Want]:
        method, app = tool.method, tool.method.definition.app or ""
        own = [p for p in own_parameters(method.definition) if not is_operation(p)]
        target = self._parameter(method, method.target)
        if target is not None:
            gap, subject = f"{{{target.name}}}", subject_of(title)
            noun = self._noun(target)
            if is_page(noun) or is_page(method.entity):
                text = f"open {gap} in {subject}"
            elif singular(subject.lower()).split()[-1:] == noun.split()[-1:]:
                text = f"{words_of(title)[0]} {gap}"
            elif words_of(title)[0] == noun:
                text = f"{noun} {gap} {subject}"
            else:
                text = f"{phrase_of(title, app)} for {gap}"
            yield from self._want(tool, text, (target,))
            return
        if not own or (title.startswith("Open ") and all(map(_has_no_cases, own))):
            if " " in title and not title.startswith(("Search", "Send")):
                yield from self._want(tool, phrase_of(title, app), ())
            return
        for parameter in own:
            text = _action(title, parameter, app)
            if text:
                yield from self._want(tool, text, (parameter,))

    def _want(
        self,
        tool: DefinedTool,
        text: str,
        chosen: Sequence[Parameter],
        *,
        noun: str = "",
        switch: Sequence[str] = (),
    ) -> Iterator[Want]:
        """Yield a want with these parameters and the required ones, if a value fits each."""
        required = set(tool.schema()["required"])
        take: dict[str, Source] = {}
        said: list[str] = []
        for parameter in tool.method.definition.parameters:
            if parameter not in chosen and parameter.name not in required:
                continue
            source = self._source(parameter, noun or _about(tool.method), switch)
            if source is None and parameter.multiple and parameter not in chosen:
                take[parameter.name] = _always_empty
                continue
            label = label_of(parameter)
            in_text = f"{{{parameter.name}}}" in text
            if source is None or not _GAP.fullmatch(parameter.name) or not (in_text or label):
                return
            take[parameter.name] = source
            if not in_text:
                is_on_or_off = is_switch(parameter)
                gap = f"{{{parameter.name}}}"
                if not SEARCHED.isdisjoint(words_of(label)):
                    text = f"{text} for {gap}"
                else:
                    said.append(gap if is_on_or_off else f"the {label} {gap}")
        if said:
            text = f"{text} with {' and '.join(said)}"
        yield Want(f"{tool.app}.{tool.name}", text, take)

    def _source(self, parameter: Parameter, noun: str, switch: Sequence[str]) -> "Source | None":
        entity = self._entities.get(entity_of(parameter))
        if entity is not None:
            return self._thing(parameter, entity)
        if is_switch(parameter):
            on, off = switch or (f'"{parameter.title}" on', f'"{parameter.title}" off')
            return _switch(parameter, on, off)
        values = values_for(parameter, noun)
        if not values:
            return None

        def draw(dice: Dice) -> Drawn:
            value = dice.one_of(values)
            text, is_apart = worded(value, parameter)
            return Drawn([value] if parameter.multiple else value, text, is_apart)

        return draw

    def _thing(self, parameter: Parameter, entity: Entity) -> "Source | None":
        """Return the source of an existing entity: found by its name, or named directly."""
        names = old_names(entity.noun)
        if not names or entity.is_single:
            return None
        noun = self._noun(parameter)
        finder = self._finders.get(entity.noun)
        if finder is None:

            def draw(dice: Dice) -> Drawn:
                name = dice.one_of(names)
                return Drawn([name] if parameter.multiple else name, f'the {noun} "{name}"')

            return draw
        thing = self._named(entity, noun)
        return msgspec.structs.replace(thing, many=True) if parameter.multiple else thing

    def _named(self, entity: Entity, noun: str) -> Named:
        key = entity.noun, noun
        if key not in self._things:
            finder = self._finders[entity.noun]
            self._things[key] = Named(
                f"{finder.app}.{finder.name}",
                "id",
                f'the {noun} "{{name}}"',
                query=finder.method.target,
                name="name",
                listing={finder.method.target: ""},
            )
        return self._things[key]

    def _noun(self, parameter: Parameter) -> str:
        """Return what people call the entity of a parameter: its title, if that is a noun."""
        noun = entity_of(parameter)
        if is_page(noun):
            return "page"
        label = label_of(parameter).partition(" or ")[0]
        return (singular(label) or noun).removeprefix("any ")

    def _questions(self) -> Iterator[Question]:
        """Yield questions about the properties of things that a search finds."""
        for noun, finder in self._finders.items():
            entity = self._entities[noun]
            if not old_names(noun) or is_page(noun):
                continue
            of_title = noun_of_title(plain_title(finder.method.definition.title)) or noun
            for name, column in entity.columns.items():
                parameter = entity.properties[name]
                label = label_of(parameter)
                is_asked = values_for(parameter, noun) and not parameter.multiple
                if label and is_asked and not is_switch(parameter):
                    thing = self._named(entity, of_title).for_field(column)
                    yield Question(f"tell me the {label} of {{it}}", thing)

    def _setting_name(self, method: Method) -> str:
        """Return what people call a setting: the title of the API that gets it, or sets it."""
        if method.target:
            return subject_of(plain_title(method.definition.title))
        names = (self._settings.get(method.entity, ""), subject_of(method.definition.title or ""))
        return next((name for name in map(plain_setting, names) if name), "")

    @staticmethod
    def _parameter(method: Method, name: str) -> Parameter | None:
        return next((p for p in method.definition.parameters if p.name == name), None)


_SETTING_END = re.compile(r"(?: (?:Toggle|Settings?|Options?|State|\(App Entity\)))+$")


def plain_setting(name: str) -> str:
    """Return the name of a setting as people say it; empty if it is no plain English."""
    bare = _SETTING_END.sub("", name)
    return plain_title(bare) if bare[:1].isupper() or bare[:1].isdigit() else ""


def _action(title: str, parameter: Parameter, app: str) -> str:
    """Return the order to do something with one value; empty if none is natural."""
    phrase, gap, words = phrase_of(title, app), f"{{{parameter.name}}}", words_of(title)
    own = {*words_of(parameter.name), *words_of(parameter.title or "")}
    if parameter.type == "URL" or (parameter.type == "String" and "url" in own):
        return _LINK.sub(gap, phrase) if _LINK.search(phrase) else ""
    if parameter.type == "Person":
        first, _, rest = phrase.partition(" ")
        if first in _BETWEEN:
            return f"{phrase} {_BETWEEN[first]} {gap}"
        return f"{first} {gap} {rest}".strip()
    if parameter.type in _TEXT_TYPES and words[0] in {"search", "find"}:
        return f"{phrase} for {gap}"
    if parameter.type in _TEXT_TYPES and not SEARCHED.isdisjoint(own):
        return f"{phrase} for {gap}"
    if parameter.type in _TEXT_TYPES and words[0] == "send":
        return f"{phrase} saying {gap}"
    if parameter.type_kind == "measurement" or not {"minutes", "hours", "seconds"}.isdisjoint(own):
        unit = next((f" {word}" for word in ("minutes", "hours", "seconds") if word in own), "")
        return f"{phrase} for {gap}{unit}"
    label = label_of(parameter)
    if not label or is_switch(parameter):
        return ""
    return f"{phrase} with the {label} {gap}"


def _about(method: Method) -> str:
    """Return the noun that values of a method are about: texts for a search are no names."""
    first = words_of(method.definition.title or "")[:1]
    return SEARCH if first in {("search",), ("find",)} else method.entity


def _has_no_cases(parameter: Parameter) -> bool:
    return parameter.type_kind == "enum" and not parameter.enum_values


def _always_empty(dice: Dice) -> Drawn:
    """Return an empty list, which says nothing."""
    del dice
    return Drawn([], "")


def _switch(parameter: Parameter, on: str, off: str) -> Draw:
    """Draw on or off; of a switch with cases only the one that the definition declares."""

    def draw(dice: Dice) -> Drawn:
        if parameter.type == "Boolean":
            is_on = dice.chance(5)
            return Drawn(is_on, on if is_on else off, apart=True)
        is_on = parameter.default == '"on"'
        return Drawn("on" if is_on else "off", on if is_on else off, apart=True)

    return draw
