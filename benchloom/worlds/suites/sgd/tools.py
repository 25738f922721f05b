"""Build a tool for each method of a service; queries find rows, and transactions add receipts."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, cast

from benchloom.core.records.values import Plain
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.sgd import banks
from benchloom.worlds.suites.sgd.queries import ANY, MAX_ROWS, fits
from benchloom.worlds.suites.sgd.spellings import (
    FORMS,
    comparable,
    kind_of,
    normalised,
)
from benchloom.worlds.suites.sgd.start import Argument, Method, canonical, completed
from benchloom.worlds.suites.sgd.tables import (
    Cells,
    offered_instead,
    receipt_of,
    rows_json,
    rows_of,
)
from benchloom.worlds.tool import Declared, DeclaredTool

_MAX_TOOLS = 4_096
_BEST_FIRST = "The best match is the first row."


class ServiceTool(DeclaredTool):
    """The tool of a method, which accepts the same spellings of values as the service."""

    def __init__(self, method: Method) -> None:
        def answer(state: State, arguments: Mapping[str, Plain]) -> Cells | list[Cells]:
            call = _transact if method.takes_effect else _matching_rows
            return call(state, method, cast("Cells", arguments))

        about = method.about if method.takes_effect else f"{method.about} {_BEST_FIRST}".strip()
        super().__init__(
            method.service,
            method.name,
            about,
            [_declare(argument) for argument in method.arguments],
            answer,
            result=Cells if method.takes_effect else list[Cells],
            reads=not method.takes_effect,
        )
        self._method = method

    def call(self, state: State, arguments: Mapping[str, Plain]) -> Plain:
        """Call the tool with normalised arguments, as `Tool.call` does."""
        return super().call(state, normalised(state, self._method, arguments))


tool_of = lru_cache(maxsize=_MAX_TOOLS)(ServiceTool)
"""Return the tool of a method; all worlds with this method share the tool."""


def _declare(argument: Argument) -> Declared:
    kind: Any = Literal[argument.values] if argument.values else str
    about = " ".join(filter(None, (argument.about, FORMS.get(kind_of(argument)))))
    return Declared(argument.name, kind, argument.required, about, argument.default)


def _matching_rows(state: State, method: Method, arguments: Cells) -> list[Cells]:
    key = canonical(completed(method, arguments))
    if offered_instead(state, method.service, method.name, key) is not None:
        return []
    rows = [
        row for row in rows_of(state, method.service, method.name) if fits(row, arguments, method)
    ]
    return [banks.with_current_balance(state, method.service, row) for row in rows[:MAX_ROWS]]


def _transact(state: State, method: Method, argument_cells: Cells) -> Cells:
    complete = completed(method, argument_cells)
    arguments = canonical(complete)
    offered = offered_instead(state, method.service, method.name, arguments)
    if offered is not None:
        raise RefusedError("unavailable", refusal(offered))
    recorded_receipt = receipt_of(state, method.service, method.name, arguments)
    banks.move(state, method.service, argument_cells, is_known=recorded_receipt is not None)
    compared = canonical(comparable(complete))
    state.add(
        "receipts",
        receipt_id=state.new_id("receipts", method.service, method.name, compared),
        service=method.service,
        method=method.name,
        arguments=compared,
    )
    if recorded_receipt is None:
        return _build_receipt(state, method, argument_cells)
    return recorded_receipt


def refusal(offered: list[Cells]) -> str:
    """Return the message of a refused transaction, with the rows that a service offers instead."""
    if not offered:
        return "the service does not do this with these arguments"
    return f"the service does not do this with these arguments; it offers {rows_json(offered)}"


def _build_receipt(state: State, method: Method, argument_cells: Cells) -> Cells:
    complete = completed(method, argument_cells)
    receipt = {name: value for name, value in complete.items() if value != ANY}
    for row in rows_of(state, method.service):
        shared = row.keys() & argument_cells.keys()
        if shared and all(row[name] == argument_cells[name] for name in shared):
            attributes = {name: row[name] for name in method.returns if name in row}
            return {**attributes, **receipt}
    return receipt
