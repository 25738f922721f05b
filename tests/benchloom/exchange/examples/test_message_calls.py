"""Tests of the schemas of tools that other formats contain."""

from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignTool,
    example_of_messages,
)


def test_parameter_of_several_types_has_type_any() -> None:
    schema = {
        "type": "object",
        "properties": {
            "weight": {"type": ["number", "object"]},
            "names": {"type": "array", "items": {"type": ["string", "null"]}},
        },
    }
    example = example_of_messages(
        ExampleOrigin("openai", "data.jsonl", "1"),
        [ForeignCalls((ForeignCall("Post__Send", {"weight": 3, "names": ["Ada"]}),))],
        [ForeignTool("Post__Send", None, schema)],
    )
    (definition,) = example.definitions
    assert [
        (parameter.name, parameter.type, parameter.multiple) for parameter in definition.parameters
    ] == [
        ("weight", "Any", False),
        ("names", "Any", True),
    ]
    assert [unknown_field.path for unknown_field in definition.unknown] == [
        "parameters.weight.type",
        "parameters.names.type",
    ]
