"""Strategies that generate examples with every kind of value, reference, turn and definition."""

import msgspec
from hypothesis import strategies as st

from benchloom.core.records import ApiDefinition
from benchloom.core.records.api_definition import Note, Parameter, sealed
from benchloom.core.records.values import RuntimeValue, Value
from benchloom.exchange.examples import (
    Argument,
    Call,
    Composed,
    Example,
    Finding,
    Ref,
    Result,
    Turn,
)
from tests.benchloom.exchange.formats.generated import definitions

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)

RUNTIME_VALUES = st.builds(
    RuntimeValue, st.sampled_from(["input", "variable", "missing"]), NAMES, TEXTS
)


def refs(step: int) -> st.SearchStrategy[Ref]:
    """Generate a reference to a call before `step`."""
    return st.builds(
        Ref, st.integers(0, step - 1), st.none() | NAMES, st.just("") | st.just("[0].a")
    )


def composed(step: int) -> st.SearchStrategy[Composed]:
    """Generate a text that contains a reference."""
    text = TEXTS.filter(bool)
    return st.builds(
        lambda before, ref, after: Composed((before, ref, after)), text, refs(step), text
    )


def values(step: int, plain: st.SearchStrategy[Value] = PLAIN) -> st.SearchStrategy[Value]:
    """Generate a value of call number `step`; it may refer to earlier calls."""
    if step == 0:
        return plain
    inner = plain | refs(step) | composed(step) | RUNTIME_VALUES
    return inner | st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2)


def results(plain: st.SearchStrategy[Value] = PLAIN) -> st.SearchStrategy[Result]:
    return st.tuples(plain, st.none() | TEXTS, plain).map(lambda fields: Result(*fields))


@st.composite
def calls(draw: st.DrawFn, step: int, plain: st.SearchStrategy[Value] = PLAIN) -> Call:
    """Generate one call; its arguments have different names and are sorted."""
    names = sorted(draw(st.sets(NAMES, max_size=3)))
    arguments = tuple(Argument(name, draw(values(step, plain))) for name in names)
    return Call(
        draw(st.just("") | NAMES),
        draw(NAMES),
        arguments,
        result=draw(st.none() | results(plain)),
        depth=draw(st.integers(0, 2)),
    )


@st.composite
def noted_definitions(draw: st.DrawFn) -> ApiDefinition:
    """Generate a definition with fields that only some sources have: a note, a minimum."""
    definition = draw(definitions(0))
    bounded = Parameter("bounded", "Number", "primitive", minimum=1.5)
    return sealed(
        msgspec.structs.replace(
            definition,
            parameters=draw(st.sampled_from([definition.parameters, (bounded,)])),
            notes=tuple(draw(st.lists(st.builds(Note, st.just("note"), TEXTS), max_size=1))),
        )
    )


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """Generate any example; its calls need not fit together."""
    size = draw(st.integers(0, 3))
    turn = st.builds(
        Turn, st.sampled_from(["system", "user", "assistant"]), TEXTS, st.integers(0, size)
    )
    answer = st.just(msgspec.UNSET) | values(size)
    return Example(
        example_id=draw(TEXTS),
        target_id=draw(TEXTS),
        source=draw(NAMES),
        source_id=draw(TEXTS),
        source_uri=draw(TEXTS),
        split=draw(st.sampled_from(["", "train", "level-1"])),
        request=draw(st.none() | TEXTS),
        calls=tuple(draw(calls(step)) for step in range(size)),
        definitions=tuple(draw(st.lists(noted_definitions(), max_size=2))),
        turns=tuple(draw(st.lists(turn, max_size=4))),
        answer=draw(answer),
        reference_mode=draw(st.sampled_from(["flow", "name"])),
        findings=tuple(draw(st.lists(st.builds(Finding, NAMES, TEXTS), max_size=2))),
        oddities=tuple(draw(st.lists(NAMES, max_size=2))),
    )
