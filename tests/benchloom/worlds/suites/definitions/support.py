"""Check that tools contain only what the definitions of an app declare."""

from benchloom.worlds.suites.definitions.tools import DefinedTool
from benchloom.worlds.world import World


def check_declared(world: World) -> int:
    """Check that the tools of a world have only declared parameters, and return their number."""
    count = 0
    for tool in world.tools.values():
        assert isinstance(tool, DefinedTool)
        parameters = {p.name: p for p in tool.method.definition.parameters}
        schema = tool.schema()
        assert schema["properties"].keys() == parameters.keys()
        assert set(schema["required"]) <= parameters.keys()
        assert schema["additionalProperties"] is False
        for name, property_schema in schema["properties"].items():
            count += 1
            value_schema = property_schema.get("items", property_schema)
            declared = [case.value for case in parameters[name].enum_values]
            assert set(map(str, value_schema.get("enum", declared))) == set(declared), name
    return count
