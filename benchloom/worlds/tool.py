"""Define apps and their tools, which are functions with types, a docstring and a decorator."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from benchloom.core.records.values import Plain
from benchloom.worlds.state import RefusedError, State

Schema: TypeAlias = dict[str, Any]
_PREFIX = "#/$defs/"
_VALUES = frozenset({"const", "default", "enum", "examples"})


def schema_of(kind: object) -> Schema:
    """Return the JSON Schema of a type, without references (`$ref`).

    In a type that contains itself, the inner occurrence of the type allows any value.
    """
    (schema,), parts = msgspec.json.schema_components([kind], ref_template=_PREFIX + "{name}")
    complete_schema: Schema = _whole(schema, parts, frozenset())
    return complete_schema


def _whole(schema: Any, parts: Mapping[str, Any], open_: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_whole(element, parts, open_) for element in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix(_PREFIX)
    if name in open_:
        return {}
    if name:
        siblings = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_whole(parts[name], parts, open_ | {name}), **siblings}
    return {
        key: value if key in _VALUES else _whole(value, parts, open_)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }


F = TypeVar("F", bound=Callable[..., object])
_MARK = "_benchloom_tool"
_LONGEST_MESSAGE = 400
_FAULTS = (
    (re.compile(r"Object missing required field `(.*)`"), r"\1 is missing"),
    (re.compile(r"Object contains unknown field `(.*)`"), r"the tool has no argument \1"),
    (re.compile(r"Expected `\w+` <= (\S+) - at `\$\.(.+)`"), r"\2 can be at most \1"),
    (re.compile(r"Expected `\w+` >= (\S+) - at `\$\.(.+)`"), r"\2 must be at least \1"),
    (re.compile(r"Invalid enum value (.*) - at `\$\.(.+)`", re.DOTALL), r"\2 cannot be \1"),
    (re.compile(r"(.*) - at `\$\.(.+)`", re.DOTALL), r"\2: \1"),
)
"""Patterns of msgspec's messages about arguments, with the clearer messages that replace them."""
_NO_DESCRIPTIONS: Mapping[str, str] = MappingProxyType({})


class Tool:
    """A tool of a world, which `app` and `name` identify and `about` describes to agents.

    `arguments` is a struct type with a field for each argument, and `result` is the type of the
    result. `reads` is true for a tool that changes nothing.
    """

    def __init__(
        self,
        app: str,
        function: Callable[..., object],
        *,
        reads: bool,
        descriptions: Mapping[str, str] = _NO_DESCRIPTIONS,
    ) -> None:
        hints = get_type_hints(function, include_extras=True)
        self.app = app
        self.name = function.__name__
        self.about = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
        self.parameters: dict[str, str] = {}
        self.reads = reads
        self.result = hints.pop("return")
        self._function = function
        fields: list[Any] = []
        for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
            if description := descriptions.get(name) or _usual_description(name):
                self.parameters[name] = description
            kind = with_description(hints[name], description)
            bare = parameter.default is inspect.Parameter.empty
            fields.append((name, kind) if bare else (name, kind, parameter.default))
        self.arguments = msgspec.defstruct(
            self.name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True
        )

    def call(self, state: State, arguments: Mapping[str, Plain]) -> Plain:
        """Call the tool and return its result as JSON.

        Raises:
            RefusedError: an argument is missing, unknown or of another type, or the tool
                refuses.
        """
        try:
            parsed_arguments = msgspec.convert(arguments, self.arguments)
        except (msgspec.ValidationError, RecursionError, UnicodeEncodeError) as error:
            message = _fault(error)[:_LONGEST_MESSAGE]  # the name of an argument can be very long
            raise RefusedError("invalid_argument", message) from error
        result = self._function(state, **msgspec.structs.asdict(parsed_arguments))
        plain_result: Plain = msgspec.to_builtins(result)
        return plain_result

    def schema(self) -> Schema:
        """Return the JSON Schema of the arguments, without references; do not change the result."""
        return self._schema

    @cached_property
    def result_schema(self) -> Schema:
        """The JSON Schema of the result, without references; callers must not change the schema."""
        return schema_of(self.result)

    @cached_property
    def _schema(self) -> Schema:
        return schema_of(self.arguments)


class App(msgspec.Struct, frozen=True, kw_only=True):
    """An app of a world; `needs` lists the apps whose tables this app's tables refer to.

    `schema`, `fill`, `frozen`, `sets` and `goals` are as in `World`, except that the keys of
    `goals` are names of tools without the app.
    """

    schema: str = ""
    fill: Callable[[State], None] = lambda _state: None
    tools: tuple[Tool, ...]
    needs: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    goals: Mapping[str, str] = {}


def _fault(error: Exception) -> str:
    text = str(error)
    for pattern, words in _FAULTS:
        if match := pattern.fullmatch(text):
            return match.expand(words).replace("`", "")
    return text.replace("`", "")


def tool(**descriptions: str) -> Callable[[F], F]:
    """Return a decorator that makes a function a tool of its module's app.

        @tool(time="when, in 24 hours, like 07:05.")
        def create_alarm(state: State, *, time: str, label: str = "") -> Alarm:

    The first parameter of the function is the state. The other parameters must be keyword-only;
    they are the arguments of the tool, which `descriptions` describes. Without a description, the
    argument `card_id` is described as "the card." and `limit` as "the maximum number of results."
    """
    return _marker(descriptions, reads=False)


def read_tool(**descriptions: str) -> Callable[[F], F]:
    """Return a decorator for a tool that only reads the state; see `tool`."""
    return _marker(descriptions, reads=True)


def _marker(descriptions: Mapping[str, str], *, reads: bool) -> Callable[[F], F]:
    def marked(function: F) -> F:
        unknown = descriptions.keys() - inspect.signature(function).parameters.keys()
        if unknown:
            raise TypeError(f"{function.__name__} has no argument {', '.join(sorted(unknown))}")
        setattr(function, _MARK, (reads, descriptions))
        return function

    return marked


def tools_of(
    app: str,
    members: Mapping[str, object],
    make: type[Tool] = Tool,
    descriptions: Mapping[str, str] = _NO_DESCRIPTIONS,
) -> tuple[Tool, ...]:
    """Return the tools among the members of a module, in the order of their definition.

    `make` is the class of the tools. `descriptions` maps the names of arguments to default
    descriptions, which a tool may override.
    """
    tools: list[Tool] = []
    for member in members.values():
        if isinstance(member, Tool):
            tools.append(member)
        elif inspect.isfunction(member) and hasattr(member, _MARK):
            reads, texts = getattr(member, _MARK)
            tools.append(make(app, member, reads=reads, descriptions={**descriptions, **texts}))
    return tuple(tools)


def _usual_description(name: str) -> str:
    """Return the description of an argument with a self-explanatory name, or ""."""
    if name == "limit":
        return "the maximum number of results."
    thing = name.removesuffix("_id")
    return "" if thing == name else f"the {thing.replace('_', ' ')}."


def with_description(kind: Any, description: str) -> Any:
    """Return the type of an argument, annotated with its description if that is not empty."""
    if not description:
        return kind
    base = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    return Annotated[(*base, msgspec.Meta(description=description))]


class Declared(msgspec.Struct, frozen=True):
    """An argument of a `DeclaredTool`; `kind` is its type, and `about` is its description.

    `default` is the value of an omitted argument, if it has a default. JSON Schemas contain the
    default, but the tool's handler receives only the arguments that the caller passes.
    """

    name: str
    kind: Any
    required: bool
    about: str = ""
    default: Plain = None


class DeclaredTool(Tool):
    """A tool that is defined by data, such as a JSON Schema, instead of a function's signature.

    `handler` gets the state and a mapping from names to the passed arguments; `result` is the type
    of the handler's return value. Any distinct texts can be names of arguments.
    """

    def __init__(
        self,
        app: str,
        name: str,
        about: str,
        arguments: Sequence[Declared],
        handler: Callable[[State, Mapping[str, Plain]], object],
        *,
        result: Any,
        reads: bool,
    ) -> None:
        self.app, self.name, self.about = app, name, about
        self.parameters = {
            argument.name: argument.about for argument in arguments if argument.about
        }
        self.reads = reads
        self.result = result
        names = {
            f"argument_{position}": argument.name for position, argument in enumerate(arguments)
        }
        fields: list[Any] = []
        for attribute, argument in zip(names, arguments, strict=True):
            kind = with_description(argument.kind, argument.about)
            if argument.default is not None:
                kind = Annotated[
                    kind, msgspec.Meta(extra_json_schema={"default": argument.default})
                ]
            bare = (attribute, kind)
            fields.append(bare if argument.required else (attribute, kind | UnsetType, UNSET))
        self.arguments = msgspec.defstruct(
            name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=names
        )

        def called(state: State, **values: Any) -> object:
            call_arguments = {
                names[key]: value for key, value in values.items() if value is not UNSET
            }
            return handler(state, call_arguments)

        self._function = called
