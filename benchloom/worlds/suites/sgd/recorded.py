"""Recorded calls of one dialogue, as a world is made from them."""

from collections.abc import Iterable, Mapping

import msgspec

from benchloom.errors import RejectedInputError
from benchloom.records import ApiDefinition, ServiceResult
from benchloom.records.worlds.service_result import ServiceOutcome
from benchloom.worlds.suites.sgd.matching import ANY
from benchloom.worlds.suites.sgd.start import Argument, Method

_TRANSACTIONAL = "transactional"
_SOFT = {("RentalCars", "pickup_time"): 30}
"""Minutes by which what a service finds differs from what was asked for, as recorded."""
_CELLS = msgspec.json.Decoder(dict[str, str])
_DEFAULT = msgspec.json.Decoder(str)


class Recorded(msgspec.Struct, frozen=True):
    """One call of a dialogue and what came back; `definition_id` says which method it is."""

    definition_id: str
    service: str
    method: str
    arguments: Mapping[str, str]
    outcome: ServiceOutcome
    rows: tuple[Mapping[str, str], ...]


def recorded(result: ServiceResult) -> Recorded:
    """The call of a row.

    Raises:
        RejectedInputError: bad_values: arguments or a row are no JSON object of texts.
    """
    rows = sorted(result.rows, key=lambda row: row.rank)
    try:
        return Recorded(
            result.definition_id,
            result.service,
            result.method,
            _CELLS.decode(result.arguments),
            result.outcome,
            tuple(_CELLS.decode(row.values) for row in rows),
        )
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        place = f"{result.source_id}, call {result.call}"
        raise RejectedInputError("bad_values", f"{place}: no object of texts: {error}") from error


def method_of(definition: ApiDefinition) -> Method:
    """The method that a definition of SGD declares."""
    service = definition.app or ""
    takes_effect = any(note.text.startswith(_TRANSACTIONAL) for note in definition.notes)
    arguments = []
    for one in definition.parameters:
        default = None if one.default is None else _DEFAULT.decode(one.default)
        values = tuple(value.value for value in one.enum_values)
        if values and default == ANY and ANY not in values:
            values = (*values, ANY)
        minutes = _SOFT.get((service.partition("_")[0], one.name), 0)
        arguments.append(
            Argument(
                one.name,
                required=not one.optional,
                about=one.description or "",
                values=values,
                default=default,
                minutes=minutes,
            )
        )
    return Method(
        service,
        definition.title or "",
        takes_effect,
        definition.description or "",
        tuple(arguments),
        tuple(one.name for one in definition.returns if one.name is not None),
    )


class Methods:
    """The methods that definitions declare, by definition and by service.

    Raises:
        RejectedInputError: bad_definition: a default is no text.
    """

    def __init__(self, definitions: Iterable[ApiDefinition]) -> None:
        self._by_id: dict[str, Method] = {}
        self._of: dict[tuple[str, str], list[Method]] = {}
        for one in sorted(definitions, key=lambda one: (one.api, one.definition_id)):
            try:
                method = method_of(one)
            except (msgspec.DecodeError, RecursionError) as error:
                message = f"{one.api}: a default that is no text: {error}"
                raise RejectedInputError("bad_definition", message) from error
            self._by_id[one.definition_id] = method
            for source in one.sources:
                self._of.setdefault((source.source_uri, method.service), []).append(method)
        self._sources = {one.definition_id: one.sources for one in definitions}

    def called(self, call: Recorded) -> Method:
        """The method of a call.

        Raises:
            RejectedInputError: missing_definition: none is known.
        """
        found = self._by_id.get(call.definition_id)
        if found is None:
            message = f"{call.service}.{call.method}: {call.definition_id} is not defined"
            raise RejectedInputError("missing_definition", message)
        return found

    def of_services(self, calls: Iterable[Recorded]) -> tuple[Method, ...]:
        """All methods of the services that are called, as the same files declare them."""
        found: dict[tuple[str, str], Method] = {}
        told = list(calls)
        for call in told:
            method = self.called(call)
            found[method.service, method.name] = method
        for call in told:
            for source in self._sources[call.definition_id]:
                for method in self._of[source.source_uri, call.service]:
                    found.setdefault((method.service, method.name), method)
        return tuple(found[key] for key in sorted(found))
