"""Strategies of examples for round trips, and helpers that write and read them in a format."""

from pathlib import Path

import msgspec
from hypothesis import strategies as st

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.core.records.api_definition import EnumValue, Parameter, Return
from benchloom.exchange.examples import Argument, Call, Composed, Example, Ref, Turn, Value
from benchloom.exchange.examples.example import Result, Role
from benchloom.storage.inputs import SourceObject
from tests.support.folders import contents
from tests.support.formats import export, reader, stored_object
from tests.support.samples.api_definitions import api_definition

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00"),
    min_size=1,
    max_size=12,
)
NAMES = st.sampled_from(["a", "b", "city", "from", "ünder", "x y", "$c", "d.e"])
OUTPUTS = ("name", "b.c", "€ $", "d#e")
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS | st.just("$call_0.x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPES = (
    ("String", "primitive"),
    ("Integer", "primitive"),
    ("Number", "primitive"),
    ("Boolean", "primitive"),
    ("Any", "primitive"),
    ("Dictionary", "primitive"),
    ("Case", "enum"),
    ("Array", "array"),
)


@st.composite
def parameters(draw: st.DrawFn, name: str) -> Parameter:
    kind, type_kind = draw(st.sampled_from(TYPES))
    cases = draw(st.lists(WORDS, max_size=3, unique=True)) if type_kind == "enum" else []
    return Parameter(
        name,
        kind,
        type_kind,
        description=draw(st.none() | WORDS),
        title=draw(st.none() | WORDS),
        multiple=draw(st.booleans()),
        optional=draw(st.sampled_from([None, True, False])),
        default=draw(st.none() | PLAIN.map(lambda value: msgspec.json.encode(value).decode())),
        enum_values=tuple(EnumValue(case) for case in cases),
    )


@st.composite
def definitions(draw: st.DrawFn, number: int) -> ApiDefinition:
    names = draw(st.lists(NAMES, max_size=4, unique=True))
    api = draw(st.sampled_from(["Find", "find it", "F" * 70, "Buch.ü"])) + str(number)
    fields = {
        "app": draw(st.sampled_from([None, "Bistros", "org.example"])),
        "title": draw(st.none() | WORDS),
        "description": draw(st.none() | WORDS),
    }
    return api_definition(
        api,
        *(draw(parameters(name)) for name in names),
        source_kind="benchloom",
        returns=tuple(Return(name, "string", "primitive") for name in OUTPUTS),
        source_digest="",
        **fields,
    )


def values(index: int) -> st.SearchStrategy[Value]:
    if index == 0:
        return PLAIN
    refs = st.tuples(
        st.integers(0, index - 1),
        st.none() | st.sampled_from(OUTPUTS),
        st.sampled_from(["", "", "[0]", ".a$b#c"]),
    ).map(lambda fields: Ref(*fields))
    composed = st.builds(
        lambda text, ref: Composed((text, ref)), WORDS.map(lambda w: f"{w}: "), refs
    )
    return PLAIN | refs | composed | st.lists(refs | WORDS, max_size=2)


@st.composite
def examples(draw: st.DrawFn, *, recorded: bool = True) -> Example:
    api_definitions = [draw(definitions(number)) for number in range(draw(st.integers(1, 3)))]
    calls = []
    for index in range(draw(st.integers(1, 4))):
        definition = draw(st.sampled_from(api_definitions))
        names = [parameter.name for parameter in definition.parameters]
        argument_names = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        result = st.none() | st.tuples(PLAIN, st.none() | WORDS).map(lambda fields: Result(*fields))
        calls.append(
            Call(
                definition.app or "",
                definition.api,
                tuple(Argument(name, draw(values(index))) for name in argument_names),
                definition.definition_id,
                OUTPUTS,
                result=draw(result) if recorded else None,
            )
        )
    turns: list[Turn] = []
    if recorded:
        positions = sorted(draw(st.lists(st.integers(0, len(calls)), max_size=3)))
        roles: st.SearchStrategy[Role] = st.sampled_from(["user", "assistant"])
        turns = [Turn(draw(roles), draw(WORDS), before) for before in positions]
    return Example(
        example_id="1",
        target_id="1",
        source="sample",
        source_id="1",
        source_uri="sample",
        split=draw(st.sampled_from(["train", "validation", "test", "", "level 1"])),
        request=draw(WORDS),
        calls=tuple(calls),
        definitions=tuple(dict.fromkeys(api_definitions))
        if not calls
        else _ordered(api_definitions, calls),
        turns=tuple(turns),
    )


def _ordered(definitions: list[ApiDefinition], calls: list[Call]) -> tuple[ApiDefinition, ...]:
    by_id = {definition.definition_id: definition for definition in definitions}
    names = dict.fromkeys([*(call.definition_id for call in calls), *by_id])
    return tuple(by_id[name] for name in names)


def export_objects(
    name: str, folder: Path, *examples: Example
) -> tuple[list[SourceObject], set[str]]:
    """Return the files of an export as objects to read, and the kinds of its losses."""
    losses = export(name, folder, *examples)
    objects = [stored_object(path, data) for path, data in contents(folder).items()]
    return objects, {loss.kind for example_losses in losses for loss in example_losses}


def read(name: str, objects: list[SourceObject]) -> list[Example]:
    """Return the examples that a format reads, and check that it rejects nothing."""
    records = list(reader(name).read(objects))
    assert not [record for record in records if isinstance(record, Rejected)]
    return [record for record in records if isinstance(record, Example)]
