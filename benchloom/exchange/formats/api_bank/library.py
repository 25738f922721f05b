"""Read and write `all_apis.csv`, API-Bank's table of APIs.

Its column `api_info` contains the source of a Python class. The source is parsed and never run:
only plain values that are assigned to names are read.
"""

import ast
import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import MAX_DEPTH, Plain
from benchloom.exchange.foreign.specifications import definition_name
from benchloom.exchange.formats.api_bank.declared import (
    EXCEPTION,
    definition_of,
    tool_of,
    type_text,
)
from benchloom.exchange.formats.api_bank.tools import OUR_SEARCH, with_errors

LONGEST_SOURCE = 64 * 1024  # maximum characters of the source of an API
LONGEST_CELL = 1024 * 1024
_SOURCE = "api_info"
_NAME = ("类名", "class_name", "name", "API")
"""The names that the column of API names may have; the first is Chinese for "class name"."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_READ = ("description", "input_parameters", "output_parameters")
_ERRORS = "exceptions"


def is_library(head: bytes) -> bool:
    """Whether a file begins like API-Bank's table of APIs."""
    return _SOURCE.encode() in head.split(b"\n", 1)[0]


def read_library(
    data: bytes, source_uri: str
) -> Iterator[ApiDefinition | tuple[int, RejectedInputError]]:
    """Yield the definition in each row, or the row's number from 1 and the row's fault.

    Raises RejectedInputError if the data are not a table of APIs.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RejectedInputError("not_utf8", str(error)) from error
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        columns = reader.fieldnames or ()
        name = next((column for column in _NAME if column in columns), None)
        if name is None or _SOURCE not in columns:
            raise RejectedInputError(
                "wrong_shape", f"expected a column '{_SOURCE}' and a column of names"
            )
        for number, row in enumerate(reader, 1):
            try:
                yield _definition(row.get(name) or "", row.get(_SOURCE) or "", source_uri)
            except RejectedInputError as error:
                yield number, error
    except csv.Error as error:
        raise RejectedInputError("bad_csv", str(error)) from error


def _definition(name: str, source: str, source_uri: str) -> ApiDefinition:
    values = values_of(source)
    tool: dict[str, Plain] = {"name": name}
    tool.update((key, values[key]) for key in _READ if key in values)
    if len(tool) == 1:
        raise RejectedInputError(
            "no_description", f"{name}: the source of this API contains no description"
        )
    errors = values.get(_ERRORS)
    texts = [text for text in errors if isinstance(text, str)] if isinstance(errors, list) else []
    return with_errors(definition_of(tool, source_uri), texts)


def values_of(source: str) -> dict[str, Plain]:
    """Return the constants that a Python source assigns to names, without running the source.

    Raises RejectedInputError if the source is not Python, or too long or too deep to be parsed.
    """
    if len(source) > LONGEST_SOURCE:
        raise RejectedInputError(
            "too_large", f"the source is longer than {LONGEST_SOURCE} characters"
        )
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise RejectedInputError("bad_source", f"not valid Python: {error}") from error
    except (RecursionError, MemoryError) as error:
        # Python's parser raises MemoryError if the source is nested too deeply.
        raise RejectedInputError("too_deep", "the source is nested too deeply") from error
    values: dict[str, Plain] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            values[statement.targets[0].id] = _plain(statement.value, 0)
    return values


def _plain(node: ast.expr, depth: int) -> Plain:
    if depth > MAX_DEPTH:
        raise RejectedInputError("too_deep", f"nesting exceeds {MAX_DEPTH} levels")
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | None):
        if isinstance(node.value, str) and _SURROGATE.search(node.value):
            raise RejectedInputError(
                "bad_text", "the text contains half a character (a lone surrogate)"
            )
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        return [_plain(item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Set):
        members = [_plain(item, depth + 1) for item in node.elts]
        return [] if members == [None] else members
    if isinstance(node, ast.Dict):
        keys = [None if key is None else _plain(key, depth + 1) for key in node.keys]
        values = [_plain(value, depth + 1) for value in node.values]
        return {str(key): value for key, value in zip(keys, values, strict=True)}
    raise RejectedInputError("no_value", "expected a literal, not an expression")


class LibraryWriter:
    """Collects the tools of an export, and writes them as `all_apis.csv`."""

    def __init__(self) -> None:
        self._definitions: dict[str, ApiDefinition] = {}

    def add(self, definitions: Iterable[ApiDefinition]) -> None:
        """Add the tools of an example, except the tool search that is benchloom's own."""
        for definition in definitions:
            if definition.definition_id == OUR_SEARCH.definition_id:
                continue
            self._definitions.setdefault(definition.definition_id, definition)

    def write(self, folder: Path) -> None:
        """Write `all_apis.csv`, in which the source of a tool also contains its errors."""
        if not self._definitions:
            return
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["id", _NAME[0], "input_parameters", "expressions", _SOURCE])
        for number, definition in enumerate(self._definitions.values(), 1):
            tool = tool_of(definition)
            name = definition_name(definition)
            signature = ", ".join(
                f"{parameter.name}: {type_text(parameter.type, multiple=parameter.multiple)}"
                for parameter in definition.parameters
            )
            tool[_ERRORS] = [note.text for note in definition.notes if note.kind == EXCEPTION]
            keys = _READ if not tool[_ERRORS] else (*_READ, _ERRORS)
            source = "".join(f"{key} = {tool[key]!r}\n" for key in keys)
            rows.writerow([number, name, f"({signature})", f"{name}({signature})", source])
        (folder / "all_apis.csv").write_bytes(text.getvalue().encode())
