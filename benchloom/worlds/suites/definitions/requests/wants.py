"""Phrase the requests that people can make of an app, based on the titles of its APIs.

An API is left out if its title is not plain English, or if it requires a value that cannot be
drawn, such as an identifier, path, script or object of the system.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

from benchloom.core.records import Parameter
from benchloom.worlds.requests.wants import Question, Requests, Source, Want
from benchloom.worlds.suites.definitions.methods import Method, entity_of
from benchloom.worlds.suites.definitions.requests.orders import ANY_GAP, SPOKEN, orders
from benchloom.worlds.suites.definitions.requests.phrases import (
    article,
    imperative,
    is_page,
    label_of,
    plain_title,
    setting_called,
    switched,
    without_app,
)
from benchloom.worlds.suites.definitions.requests.sources import Sources, always_empty
from benchloom.worlds.suites.definitions.seeds import (
    SEARCH,
    SEARCHED,
    old_names,
    values_for,
)
from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.suites.definitions.verbs import (
    VERBS,
    is_switch,
    own_parameters,
    takes_content,
)
from benchloom.worlds.suites.definitions.words import (
    noun_of_title,
    own_name,
    subject_of,
    words_of,
)

_GAP = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ADDED = re.compile(r"Add .* to ", re.IGNORECASE)
_SAYS_VALUE = re.compile(r"^(?:on|off)\b| to ", re.IGNORECASE)
"""Names of settings that already contain the value, such as `Change Speed To Low`."""
_SETTING_END = re.compile(r"(?: (?:Toggle|Settings?|Options?|State|\(App Entity\)))+$")
_NAMING = frozenset({"name", "title"})
_LONGEST_OPTION = 3


class Wording:
    """Phrases the requests that users can make of an app, which are changes and questions."""

    def __init__(self, tools: Sequence[DefinedTool]) -> None:
        self._tools = tools
        self._entities = tools[0].entities if tools else {}
        self._sources = Sources(tools, self._entities)
        self._settings = {
            tool.method.entity: subject_of(tool.method.definition.title or "")
            for tool in tools
            if tool.method.verb == "find" and not tool.method.target
        }

    def requests(self) -> Requests:
        """Return all changes that users can request of the app, and all questions to the app."""
        return Requests(
            wants=tuple(chain.from_iterable(map(_unambiguous, map(self._wants, self._tools)))),
            questions=tuple(self._questions()),
        )

    def _wants(self, tool: DefinedTool) -> Iterator[Want]:
        method = tool.method
        title = plain_title(method.definition.title)
        if method.stub:
            return
        if method.verb in {"update", "toggle"}:
            for parameter in method.properties:
                yield from self._setting(tool, parameter)
            return
        title = imperative(title, own_name(method.definition))
        if not title:
            return
        match method.verb:
            case "create":
                yield from self._creating(tool, title)
            case "delete":
                target = _parameter(method, method.target)
                yield from self._want(tool, f"{words_of(title)[0]} {{{method.target}}}", [target])
            case "run":
                for text, parameters in orders(method, title, self._sources.noun):
                    yield from self._want(tool, text, parameters)

    def _creating(self, tool: DefinedTool, title: str) -> Iterator[Want]:
        method = tool.method
        noun = without_app(noun_of_title(title), method.definition.app or "") or method.entity
        if is_page(noun):
            return
        order = f"{'add' if title.startswith('Add') else 'create'} {article(noun)}"
        others = [
            p
            for p in method.properties
            if p.name != method.naming
            and (label := label_of(p))
            and not (is_switch(p) and _is_option(label))
            and (not method.naming or _NAMING.isdisjoint(words_of(label)[-1:]))
        ]
        if not method.naming:
            is_made_of = takes_content(method.definition) or " from " in title.lower()
            pairs = [] if is_made_of else pairwise(others)
            for pair in pairs:
                yield from self._want(tool, order, pair, noun)
            return
        naming = _parameter(method, method.naming)
        word = "saying" if label_of(naming) in SPOKEN else "called"
        text = f"{order} {word} {{{naming.name}}}"
        for extra in ((), *((other,) for other in others)):
            yield from self._want(tool, text, (naming, *extra), noun)

    def _setting(self, tool: DefinedTool, parameter: Parameter) -> Iterator[Want]:
        """Yield requests to set a property of a thing, or a setting of the app."""
        method = tool.method
        if not method.target:
            yield from self._setting_alone(tool, parameter)
            return
        target = _parameter(method, method.target)
        title = plain_title(method.definition.title)
        required = set(tool.schema()["required"]) - {parameter.name, target.name}
        lists = {p.name for p in method.definition.parameters if p.multiple}
        if required - lists or not title:
            return
        verb, gap, thing = words_of(title)[0], f"{{{parameter.name}}}", f"{{{target.name}}}"
        label, noun = label_of(parameter), self._sources.noun(target)
        if not label and verb in {"toggle", "set", "turn"}:
            label = subject_of(title).lower()
        if is_switch(parameter):
            text, *ways = switched(label, noun)
            text = text.format(gap=gap, thing=thing) if label else ""
            yield from self._want(tool, text, (parameter, target), switch=ways)
            return
        words = {*words_of(parameter.name)[-1:], *words_of(label)[-1:]}
        if parameter.name == method.naming:
            text = f"rename {thing} to {gap}"
        elif not _NAMING.isdisjoint(words) and method.naming:
            text = ""  # the same change as the renaming
        elif verb == "append":
            text = f"append {gap} to {thing}"
        elif entity_of(parameter) and (verb == "move" or _ADDED.match(title)):
            text = f"{'move' if verb == 'move' else 'add'} {thing} to {gap}"
        elif (
            entity_of(parameter) == method.entity
            or verb in {"add", "save"}
            or label in {"", "label"}
        ):
            text = ""
        else:
            text = f"set the {label} of {thing} to {gap}"
        yield from self._want(tool, text, (parameter, target))

    def _setting_alone(self, tool: DefinedTool, parameter: Parameter) -> Iterator[Want]:
        """Yield requests to set a value of a thing that exists only once, such as a setting."""
        method = tool.method
        name = self._setting_name(method)
        label, gap = label_of(parameter), f"{{{parameter.name}}}"
        if not name or (_SAYS_VALUE.search(name) and parameter.type != "Boolean"):
            return
        is_whole = len(method.properties) == 1 or label == name.lower()
        setting = setting_called(name)
        if is_switch(parameter):
            is_first = parameter is method.properties[0] and not label
            text = f"{gap} {setting}" if is_whole or is_first else f"{gap} for {setting}"
            words = "" if is_whole or is_first else f' "{label.title()}"'
            text = text if is_whole or is_first or label else ""
            ways = f"turn on{words}", f"turn off{words}"
            yield from self._want(tool, text, (parameter,), switch=ways)
        elif is_whole:
            yield from self._want(tool, f"set the {name.lower()} to {gap}", (parameter,))
        elif label:
            yield from self._want(tool, f"set the {label} of {setting} to {gap}", (parameter,))

    def _want(
        self,
        tool: DefinedTool,
        text: str,
        chosen: Sequence[Parameter],
        about: str = "",
        *,
        switch: Sequence[str] = (),
    ) -> Iterator[Want]:
        """Yield a request with the chosen and the required parameters, if all have a source.

        Nothing is yielded if `text` is empty. `about` contains words that suggest values, and
        `switch` the words for on and off; both are passed to `Sources.source`.
        """
        required = set(tool.schema()["required"])
        take: dict[str, Source] = {}
        parts: list[str] = []
        for parameter in tool.method.definition.parameters:
            if not text or (parameter not in chosen and parameter.name not in required):
                continue
            if parameter.multiple and parameter not in chosen:
                take[parameter.name] = always_empty
                continue
            source = self._sources.source(
                parameter, about or _about(tool.method), switch, names=_is_name(tool, parameter)
            )
            label, gap = label_of(parameter), f"{{{parameter.name}}}"
            is_named = is_switch(parameter) or entity_of(parameter) or label
            if source is None or not _GAP.fullmatch(parameter.name):
                return
            if gap not in text and not SEARCHED.isdisjoint(words_of(label)):
                text = f"{text} for {gap}"
            elif gap not in text and text.startswith("send ") and label in SPOKEN:
                text = f"{text} saying {gap}"
            elif gap not in text and not is_named:
                return
            elif gap not in text:
                is_whole = is_switch(parameter) or entity_of(parameter)
                parts.append(gap if is_whole else f"the {label} {gap}")
            take[parameter.name] = source
        if parts:
            text = f"{text} with {' and '.join(parts)}"
        if text and (not chosen or _says_required(tool.method, take)):
            yield Want(f"{tool.app}.{tool.name}", text, take)

    def _questions(self) -> Iterator[Question]:
        for noun, finder in self._sources.finders.items():
            entity = self._entities[noun]
            of_title = noun_of_title(plain_title(finder.method.definition.title)) or noun
            labels: set[str] = set()
            for name, column in entity.columns.items():
                parameter = entity.properties[name]
                label = label_of(parameter)
                is_asked = values_for(parameter, noun) and not parameter.multiple
                if is_page(noun) or not old_names(noun) or not label or label in labels:
                    continue
                labels.add(label)
                if is_asked and not is_switch(parameter):
                    thing = self._sources.named(entity, of_title).for_field(column)
                    yield Question(f"tell me the {label} of {{it}}", thing)

    def _setting_name(self, method: Method) -> str:
        """Return the everyday name of a setting, from the title of an API that uses the setting."""
        title = method.definition.title or ""
        noun = subject_of(title) if words_of(title)[:1] and words_of(title)[0] in VERBS else title
        names = (self._settings.get(method.entity, ""), noun)
        return next((name for name in map(_plain_setting, names) if name), "")


def _unambiguous(wants: Iterator[Want]) -> Iterator[Want]:
    """Yield the requests of an API that differ in wording, and drop those that read alike."""
    wants_list = list(wants)
    counts = Counter(ANY_GAP.sub("", want.text) for want in wants_list)
    yield from (want for want in wants_list if counts[ANY_GAP.sub("", want.text)] == 1)


def _parameter(method: Method, name: str) -> Parameter:
    return next(p for p in method.definition.parameters if p.name == name)


def _plain_setting(name: str) -> str:
    bare = _SETTING_END.sub("", name)
    return plain_title(bare) if bare[:1].isupper() or bare[:1].isdigit() else ""


def _is_option(label: str) -> bool:
    """Whether a switch controls how an API works, and is not a property of a new entity."""
    words = words_of(label)
    return len(words) > _LONGEST_OPTION or words[0] in {"bounce", "return", *VERBS}


def _is_name(tool: DefinedTool, parameter: Parameter) -> bool:
    is_naming = parameter.name == tool.method.naming and tool.method.verb == "create"
    return is_naming and label_of(parameter) not in SPOKEN


def _says_required(method: Method, take: Mapping[str, Source]) -> bool:
    return all(
        parameter.name in take
        for parameter in own_parameters(method.definition)
        if parameter.optional is False and parameter.default is None
    )


def _about(method: Method) -> str:
    """Return words that suggest fitting values for the parameters of an API.

    They are the title of the API and the noun of its entity, or `SEARCH` for a search.
    """
    title = words_of(method.definition.title or "")
    if title[:1] in {(SEARCH,), ("find",)}:
        return SEARCH
    return f"{' '.join(title)} {method.entity}".strip()
