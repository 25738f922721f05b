"""Hand-made definition files: three from demo/data, and ToolKit databases that are built here."""

import sqlite3
import struct
from collections.abc import Sequence
from pathlib import Path

DATA = Path(__file__).parents[3] / "demo" / "data" / "definitions"


def varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def field(number: int, content: bytes | str | int) -> bytes:
    """Return a protocol buffer field; texts and bytes have a length, integers are varints."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    payload = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def double(number: int, content: float) -> bytes:
    """Return a protocol buffer field with a floating-point number."""
    return varint(number << 3 | 1) + struct.pack("<d", content)


def primitive(number: int) -> bytes:
    """Return a TypeIdentifier of a primitive type."""
    return field(1, field(number, 0))


def custom(bundle: str, name: str) -> bytes:
    """Return a TypeIdentifier of a custom type."""
    return field(2, field(1, bundle) + field(2, name))


def instance(identifier: bytes) -> bytes:
    return field(1, identifier)


def optional(inner: bytes, default: bytes | None = None) -> bytes:
    return field(3, field(1, inner) + (b"" if default is None else field(2, default)))


STRING, BOOLEAN, NUMBER, FILE = (instance(primitive(n)) for n in (6, 2, 4, 17))
FLAVOUR = custom("org.example.bakery", "Flavour")
FLAVOUR_DEFAULT = field(2, field(1, FLAVOUR) + field(2, "plum"))
RANGE = field(2, field(7, double(1, 0.5) + double(2, 4.0)))
WEIGHT = field(
    3, field(1, field(5, field(1, primitive(4)) + RANGE)) + field(2, field(1, double(4, 1.5)))
)
ICED = optional(BOOLEAN, field(1, field(2, 0)))
TAGS = field(2, STRING)
PICTURE = field(7, field(1, FILE) + field(2, field(2, field(1, "public.image"))))
LATER = optional(STRING, field(7, field(1, primitive(6))))
EITHER = field(4, field(1, STRING) + field(1, instance(primitive(9))))
WAIT = field(6, field(1, instance(primitive(7))))


def relationship(key: str, relation: int, *operands: bytes) -> bytes:
    """Return a condition on another parameter; without operands the relation is a flag."""
    content: bytes | int = b"".join(field(1, field(1, operand)) for operand in operands)
    return field(1, field(1, key) + field(2, field(relation, content or 0)))


REQUIREMENTS = (
    field(1, field(1, field(1, 1) + field(2, field(1, 18) + field(2, 4))))
    + field(1, field(2, field(1, field(1, "camera") + field(2, 1))))
    + field(1, field(3, field(1, "Oven") + field(2, "new_oven")))
    + field(1, field(4, 1))
)
PARAMETERS: Sequence[tuple[str, bytes, bytes, int]] = (
    ("flavour", optional(instance(FLAVOUR), FLAVOUR_DEFAULT), b"", 0),
    ("weight", WEIGHT, relationship("flavour", 3, field(6, "plum")), 0),
    ("iced", ICED, relationship("flavour", 4, field(6, "plum"), field(6, "pear")), 0),
    ("message", STRING, relationship("iced", 3, double(4, 1.0)) + relationship("tags", 1), 0),
    ("tags", TAGS, b"", 4),
    ("picture", PICTURE, b"", 0),
    ("later", LATER, b"", 1),
    ("either", EITHER, b"", 0),
    ("wait", WAIT, b"", 0),
    ("ShowWhenRun", ICED, b"", 2),
)
_TABLES = {
    "Tools": "rowId INTEGER PRIMARY KEY, id TEXT, toolType TEXT, flags INTEGER,"
    " visibilityFlags INTEGER, requirements BLOB, authenticationPolicy TEXT,"
    " deprecationReplacementId TEXT, sourceActionProvider TEXT, outputTypeInstance BLOB,"
    " sourceContainerId INTEGER, attributionContainerId INTEGER, futureColumn TEXT",
    "ToolLocalizations": "toolId INTEGER, locale TEXT, name TEXT, outputResultName TEXT,"
    " descriptionSummary TEXT, descriptionResult TEXT, descriptionNote TEXT,"
    " deprecationMessage TEXT, localizationUsage TEXT",
    "Parameters": "toolId INTEGER, key TEXT, sortOrder INTEGER, typeInstance BLOB,"
    " relationships BLOB, flags INTEGER",
    "ParameterLocalizations": "toolId INTEGER, key TEXT, locale TEXT, name TEXT,"
    " description TEXT, trueString TEXT, falseString TEXT",
    "ToolParameterTypes": "toolId INTEGER, key TEXT, typeId INTEGER",
    "Types": "rowId TEXT PRIMARY KEY, id BLOB, kind INTEGER",
    "EnumerationCases": "typeId TEXT, locale TEXT, id TEXT, title TEXT",
    "ContainerMetadata": "rowId INTEGER PRIMARY KEY, id TEXT, bundleVersion TEXT",
    "Categories": "toolId INTEGER, locale TEXT, category TEXT",
    "SearchKeywords": 'toolId INTEGER, locale TEXT, keyword TEXT, "order" INTEGER',
    "Triggers": "rowId INTEGER PRIMARY KEY, id TEXT",
    "FutureTable": "x INTEGER",
}


def toolkit_database(shape: str = "v78") -> bytes:
    """Return the bytes of a database of the shape v78, 26.1, 15.4 or empty."""
    tables = dict(_TABLES)
    if shape == "15.4":
        del tables["ToolParameterTypes"], tables["Triggers"]
        tables["Parameters"] += ", typeId TEXT"
        tables["ParameterLocalizations"] = (
            "toolId INTEGER, key TEXT, locale TEXT, name TEXT, description TEXT"
        )
        tables["ToolLocalizations"] = tables["ToolLocalizations"].removesuffix(
            ", localizationUsage TEXT"
        )
    connection = sqlite3.connect(":memory:")
    for name, columns in tables.items():
        connection.execute(f'CREATE TABLE "{name}" ({columns})')
    if shape != "empty":
        _fill(connection, shape)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data


def _insert(connection: sqlite3.Connection, table: str, **values: object) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" for _ in values)
    query = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'  # noqa: S608 - our own names
    connection.execute(query, tuple(values.values()))


def _fill(connection: sqlite3.Connection, shape: str) -> None:
    container = "unknown.container.1" if shape == "26.1" else "org.example.bakery"
    _insert(connection, "ContainerMetadata", rowId=1, id=container, bundleVersion="3.1")
    tools = (
        (1, "org.example.bakery.BakeCakeIntent", "appIntent", 1, 7),
        (2, "is.workflow.actions.cake.slice", "action", 2, 5),
        (3, "org.example.bakery.SecretIntent", "appIntent", 4, 7),
        (4, "org.example.bakery.AssistantIntent", "siriIntent", 0, 2),
    )
    for row, api, kind, flags, visibility in tools:
        _insert(
            connection,
            "Tools",
            rowId=row,
            id=api,
            toolType=kind,
            flags=flags,
            visibilityFlags=visibility,
            requirements=REQUIREMENTS if row == 1 else b"",
            outputTypeInstance=PICTURE if row == 1 else None,
            sourceContainerId=1,
            attributionContainerId=1,
        )
    _insert(connection, "Types", rowId="org.example.bakery.Flavour", id=FLAVOUR, kind=3)
    _insert(connection, "Types", rowId="string", id=primitive(6), kind=1)
    locales = ("fr", "uk") if shape == "v78" else ("en", "fr")
    for locale in locales:
        _texts(connection, shape, locale)
    for key, blob, conditions, flags in PARAMETERS:
        order = len(PARAMETERS) - [name for name, *_ in PARAMETERS].index(key)
        _insert(
            connection,
            "Parameters",
            toolId=1,
            key=key,
            sortOrder=-order,
            relationships=conditions,
            flags=flags,
            typeInstance=blob,
        )
        if shape == "v78":
            _insert(connection, "ToolParameterTypes", toolId=1, key=key, typeId=_type_id(key))
    slices = {"toolId": 2, "key": "slices", "sortOrder": 0, "relationships": b"", "flags": 0}
    extra = {"typeId": "string"} if shape == "15.4" else {"typeInstance": WEIGHT}
    _insert(connection, "Parameters", **slices, **extra)


def _type_id(key: str) -> str:
    return "org.example.bakery.Flavour" if key == "flavour" else "string"


def _texts(connection: sqlite3.Connection, shape: str, locale: str) -> None:
    usage = {} if shape == "15.4" else {"localizationUsage": "display"}
    _insert(
        connection,
        "ToolLocalizations",
        toolId=1,
        locale=locale,
        name=f"Bake Cake ({locale})",
        outputResultName="Cake",
        descriptionSummary=f"Bakes a cake ({locale}).",
        **usage,
    )
    if shape == "26.1" and locale == "en":
        _insert(
            connection,
            "ToolLocalizations",
            toolId=1,
            locale="en",
            name="Bake a cake for the person",
            descriptionSummary="Use this to bake.",
            localizationUsage="languageModel",
        )
    switch = {} if shape == "15.4" else {"trueString": "Iced", "falseString": "Plain"}
    _insert(
        connection,
        "ParameterLocalizations",
        toolId=1,
        key="iced",
        locale=locale,
        name="Icing",
        **switch,
    )
    _insert(connection, "ParameterLocalizations", toolId=1, key="weight", locale=locale, name="")
    if shape != "26.1":
        for case, title in (("plum", "Plum Cake"), ("pear", "Pear Cake")):
            _insert(
                connection,
                "EnumerationCases",
                typeId="org.example.bakery.Flavour",
                locale=locale,
                id=case,
                title=f"{title} ({locale})",
            )


def sample(source_kind: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the hand-made sample of a format."""
    if source_kind == "toolkit":
        return "Tools-prod.v78-sample.sqlite", toolkit_database()
    path = next(DATA.glob(f"{source_kind}.*"))
    return path.name, path.read_bytes()
