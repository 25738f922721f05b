"""Generated rows in the shape of the leaderboard's single-turn files, of every documented type."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
NAMES = ("area", "math.area", "geo.shapes.area", "calc_area", "Area.of", "get__area")
PYTHON = ("string", "integer", "float", "boolean", "array", "tuple", "dict", "any")
JAVA = ("String", "integer", "long", "short", "byte", "float", "double", "boolean", "char",
        "ArrayList", "Array", "HashMap", "any")  # fmt: skip
JAVASCRIPT = ("String", "integer", "float", "Bigint", "Boolean", "array", "dict", "any")
CATEGORIES = {
    "simple_python": (PYTHON, 1, 1), "simple_java": (JAVA, 1, 1),
    "simple_javascript": (JAVASCRIPT, 1, 1), "multiple": (PYTHON, 3, 1),
    "parallel": (PYTHON, 1, 3), "parallel_multiple": (PYTHON, 3, 3),
    "live_simple": (PYTHON, 1, 1), "live_multiple": (PYTHON, 4, 1), "live_parallel": (PYTHON, 1, 2),
    "live_parallel_multiple": (PYTHON, 2, 2), "irrelevance": (PYTHON, 2, 0),
    "live_irrelevance": (PYTHON, 1, 0),
}  # fmt: skip
"""Types of parameters, number of functions and number of calls."""
LISTS = {"array", "tuple", "ArrayList", "Array"}
OBJECTS = {"dict", "HashMap"}


def schema(draw: random.Random, kind: str, types: tuple[str, ...], depth: int = 0) -> Json:
    drawn_schema: Json = {"type": kind, "description": f"a {kind}"}
    if kind in LISTS:
        inner = draw.choice(
            [type_name for type_name in types if depth < 2 or type_name not in LISTS | OBJECTS]
        )
        drawn_schema["items"] = schema(draw, inner, types, depth + 1)
    elif kind in OBJECTS and draw.random() < 0.7:
        plain = [type_name for type_name in types if depth < 2 or type_name not in LISTS | OBJECTS]
        drawn_schema["properties"] = {
            name: schema(draw, draw.choice(plain), types, depth + 1) for name in ("x", "y")
        }
        drawn_schema["required"] = ["x"]
    elif kind in {"string", "String"} and draw.random() < 0.3:
        drawn_schema["enum"] = ["red", "blue"]
    return drawn_schema


def value(draw: random.Random, value_schema: Json, *, wrapped: bool = True) -> Any:
    """Return a value for the schema as answers contain it: fields of the outer object are lists."""
    kind = value_schema["type"]
    if kind in LISTS:
        inner = value_schema["items"]
        is_wrapped = wrapped and inner["type"] in OBJECTS
        return [value(draw, inner, wrapped=is_wrapped) for _ in range(draw.randint(1, 3))]
    if kind in OBJECTS:
        properties = value_schema.get("properties", {"k": {"type": "string"}})
        fields = {
            name: value(draw, property_schema, wrapped=False)
            for name, property_schema in properties.items()
        }
        if not wrapped:
            return fields
        return {
            name: [field, ""] if name == "y" and draw.random() < 0.3 else [field]
            for name, field in fields.items()
        }
    if "enum" in value_schema:
        return draw.choice(value_schema["enum"])
    match kind.lower():
        case "integer" | "long" | "short" | "byte" | "bigint":
            return draw.randint(-9, 99)
        case "float" | "double" | "number":
            return draw.choice([2.5, 3, -0.125])
        case "boolean":
            return draw.random() < 0.5
        case "any":
            return draw.choice(["word", 7, True, ["a"], {"a": 1}])
    return draw.choice(["Lomm", "O'Hara", "San José, CA", "x"])


def function(draw: random.Random, name: str, types: tuple[str, ...]) -> Json:
    count = draw.randint(0, 4)
    properties = {f"p{n}": schema(draw, draw.choice(types), types) for n in range(count)}
    for property_schema in properties.values():
        if property_schema["type"] == "integer" and draw.random() < 0.5:
            property_schema["default"] = 5
    required = [
        name for name, property_schema in properties.items() if "default" not in property_schema
    ]
    if required and draw.random() < 0.3:
        required.pop()
    parameters = {"type": "dict", "properties": properties, "required": required}
    return {"name": name, "description": f"Does {name}.", "parameters": parameters}


def answer(draw: random.Random, declared: Json) -> Json:
    """Return a call in the form of an answer: accepted values by parameter."""
    accepted = {}
    for name, property_schema in declared["parameters"]["properties"].items():
        values = [value(draw, property_schema)]
        if property_schema["type"] in {"string", "String"} and "enum" not in property_schema:
            values.append("another")
        if name not in declared["parameters"]["required"]:
            values.insert(draw.randint(0, len(values)), "")
        accepted[name] = values
    return {declared["name"]: accepted}


def rows(category: str, count: int) -> Iterator[tuple[Json, Json | None]]:
    """Iterate over questions and their answers; the answer is None if no call is expected."""
    draw = random.Random(category)
    types, functions, calls = CATEGORIES[category]
    for number in range(count):
        tools = [
            function(draw, f"{name}{n or ''}", types)
            for n, name in enumerate(draw.sample(NAMES, functions))
        ]
        suffix = f"{number}-0-0" if category.startswith("live") else str(number)
        row_id = f"{category}_{suffix}"
        messages = [{"role": "user", "content": f"{category} {number}"}]
        if category.startswith("live") and draw.random() < 0.3:
            messages.insert(0, {"role": "system", "content": "Be brief."})
        question = {"id": row_id, "question": [messages], "function": tools}
        truth = [answer(draw, draw.choice(tools)) for _ in range(calls)]
        yield question, {"id": row_id, "ground_truth": truth} if calls else None


def write_files(folder: Path, count: int) -> int:
    """Write `count` rows of each category as the leaderboard does, and return the total."""
    (folder / "possible_answer").mkdir(parents=True)
    for category in CATEGORIES:
        name = f"BFCL_v4_{category}.json"
        question_rows = list(rows(category, count))
        write_lines(folder / name, [question for question, _ in question_rows])
        answers = [truth for _, truth in question_rows if truth is not None]
        if answers:
            write_lines(folder / "possible_answer" / name, answers)
    return count * len(CATEGORIES)


def write_lines(path: Path, lines: list[Json]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in lines), "utf-8")
