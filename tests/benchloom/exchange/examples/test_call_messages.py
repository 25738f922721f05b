"""Tests of calls in messages: references become texts, and values get their declared types."""

import msgspec
import pytest
from jsonschema import Draft202012Validator

from benchloom.core.records import ApiDefinition
from benchloom.core.records.api_definition import EnumValue, Parameter
from benchloom.core.records.values import Plain, rendered
from benchloom.exchange.examples import (
    Argument,
    Call,
    Composed,
    Example,
    Loss,
    Ref,
    RuntimeValue,
    Value,
)
from benchloom.exchange.examples.call_messages import (
    LOSSES,
    read_references,
    reference_text,
    render_example,
)
from tests.benchloom.exchange.examples.sample import definition

SEND = definition(
    "Post",
    "Send",
    (
        Parameter("count", "Integer", "primitive", minimum=0),
        Parameter("fragile", "Boolean", "primitive"),
        Parameter("names", "String", "primitive", multiple=True),
        Parameter("weights", "Number", "primitive", multiple=True),
        Parameter("size", "Integer", "enum", enum_values=(EnumValue("1"), EnumValue("2"))),
        Parameter("weight", "Mass", "measurement"),
        Parameter("to", "String", "primitive", optional=False),
    ),
    ("parcel",),
)


def parcel_example(
    *arguments: Argument, definitions: tuple[ApiDefinition, ...] = (SEND,)
) -> Example:
    """Return an example of two calls; the second has these arguments."""
    call_arguments = (*arguments, Argument("to", "Ada")) if definitions else arguments
    first = Call("Post", "Send", (Argument("to", "Bo"),), SEND.definition_id if definitions else "")
    call = Call("Post", "Send", call_arguments, SEND.definition_id if definitions else "")
    return Example(
        example_id="1",
        target_id="1",
        source="s",
        source_id="1",
        source_uri="u",
        calls=(first, call),
        definitions=definitions,
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("count", "5", 5),
        ("fragile", 1, True),
        ("fragile", 0, False),
        ("names", "Ada", ["Ada"]),
        ("names", 7, ["7"]),
        ("weights", ["1.5", 2], [1.5, 2]),
        ("weight", "1.5", 1.5),
        ("size", "2", 2),
        ("to", 12, "12"),
    ],
)
def test_value_is_converted_to_its_declared_type(name: str, value: Value, expected: Plain) -> None:
    rendering = render_example(
        parcel_example(Argument(name, value)) if name != "to" else parcel_example()
    )
    if name == "to":
        call = Call("Post", "Send", (Argument("to", value),), SEND.definition_id)
        rendering = render_example(msgspec.structs.replace(parcel_example(), calls=(call,)))
    assert rendering.calls[-1].arguments[name] == expected
    assert type(rendering.calls[-1].arguments[name]) is type(expected)
    assert [loss.kind for loss in rendering.losses] == ["retyped_value"]
    (tool,) = rendering.tools
    assert tool.parameters["additionalProperties"] is False
    assert Draft202012Validator(tool.parameters).is_valid(rendering.calls[-1].arguments)


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        ((Argument("count", "many"),), ["misfit_value"]),
        ((Argument("count", -1),), ["misfit_value"]),
        ((Argument("fragile", [0]),), ["misfit_value"]),
        ((Argument("size", 3),), ["misfit_value"]),
        ((Argument("colour", "red"),), ["undeclared_argument"]),
        ((Argument("a", 1), Argument("count", [])), ["misfit_value", "undeclared_argument"]),
        ((Argument("count", 1), Argument("count", 2)), ["repeated_argument"]),
        ((Argument("count", Ref(0, "parcel"), "3"),), ["supplied_value"]),
        ((Argument("count", "$call_0$"),), ["misfit_value", "reads_as_reference"]),
    ],
)  # fmt: skip
def test_tool_schema_is_widened_for_misfit_arguments(
    arguments: tuple[Argument, ...], kinds: list[str]
) -> None:
    rendering = render_example(parcel_example(*arguments))
    assert sorted({loss.kind for loss in rendering.losses}) == kinds
    assert set(kinds) <= LOSSES.keys()
    (tool,) = rendering.tools
    Draft202012Validator.check_schema(tool.parameters)
    call_arguments = dict(rendering.calls[-1].arguments)
    if kinds == ["supplied_value"]:
        assert call_arguments.pop("count") == "$call_0.parcel$"
    assert Draft202012Validator(tool.parameters).is_valid(call_arguments)


def test_missing_argument_is_not_required_by_the_tool() -> None:
    call = Call("Post", "Send", (), SEND.definition_id)
    rendering = render_example(msgspec.structs.replace(parcel_example(), calls=(call,)))
    assert rendering.losses == (Loss("missing_argument", "call 0.to"),)
    assert rendering.tools[0].parameters["required"] == []


def test_api_without_definition_accepts_any_argument() -> None:
    rendering = render_example(parcel_example(Argument("a", [1]), definitions=()))
    assert rendering.losses == (Loss("unknown_tool", "Send"),)
    assert [tool.name for tool in rendering.tools] == ["Post__Send"]
    assert rendering.calls[1].arguments == {"a": [1]}


@pytest.mark.parametrize(
    "value",
    [
        Ref(1),
        Ref(0, "a"),
        Ref(0, ""),
        Ref(0, "a.b c", "[0].x"),
        Ref(0, "$5#%", "a$b"),
        Composed(("from ", Ref(0, "a"), " to ", Ref(1, "b"))),
        Composed((Ref(0, "a"), Ref(1, "b"))),
        [Ref(0, "ü"), "x", {"k": Ref(1, None, "p")}],
        "$call_9.x$ is out of reach",
        "$call_$",
        {"$ref": "a"},
    ],
)
def test_written_reference_reads_back_equal(value: Value) -> None:
    assert read_references(rendered(value, reference_text), 2) == value


def test_text_like_a_reference_is_reported_as_loss() -> None:
    assert (
        Loss("reads_as_reference", "call 1.names")
        in render_example(parcel_example(Argument("names", ["x", "see $call_0$"]))).losses
    )


def test_runtime_value_is_written_and_read_back() -> None:
    value: Value = Composed(
        (RuntimeValue("input", "Ask", "as(x)"), " or ", RuntimeValue("variable", "a$b#c"))
    )
    (call,) = render_example(parcel_example(Argument("count", value))).calls[1:]
    argument_text = call.arguments["count"]
    assert argument_text == "$input.Ask#as(x)$ or $variable.a%24b%23c$"
    assert read_references(argument_text, 0) == value
    assert (
        render_example(parcel_example(Argument("count", RuntimeValue("missing", "")))).losses == ()
    )
    assert read_references("$missing.$", 0) == RuntimeValue("missing", "")
