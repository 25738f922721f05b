"""Records of the calls in a dialogue, and of the methods that API definitions declare."""

from collections.abc import Iterable, Mapping

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, ServiceResult
from benchloom.core.records.worlds import ServiceOutcome
from benchloom.worlds.suites.sgd.queries import ANY
from benchloom.worlds.suites.sgd.start import Argument, Method

_TRANSACTIONAL = "transactional"
_SOFT = {("RentalCars", "pickup_time"): 30}
"""A mapping from service and argument to the minutes by which a matching time may differ."""
_CELLS = msgspec.json.Decoder(dict[str, str])
_DEFAULT = msgspec.json.Decoder(str)


class RecordedCall(msgspec.Struct, frozen=True):
    """A call of a service in a dialogue, with its recorded result.

    `definition_id` identifies the definition of the method. `requested` has, for each row of the
    result, the fields that the user asked for. `wordings` maps arguments to the user's words for
    their values.
    """

    definition_id: str
    service: str
    method: str
    arguments: Mapping[str, str]
    outcome: ServiceOutcome
    rows: tuple[Mapping[str, str], ...]
    requested: tuple[tuple[str, ...], ...] = ()
    wordings: Mapping[str, tuple[str, ...]] = {}


def recorded_call(result: ServiceResult) -> RecordedCall:
    """Convert a row of the table `service_results`.

    Raises:
        RejectedInputError: a value is not a string (reason `bad_values`).
    """
    rows = sorted(result.rows, key=lambda row: row.rank)
    try:
        return RecordedCall(
            result.definition_id,
            result.service,
            result.method,
            _CELLS.decode(result.arguments),
            result.outcome,
            tuple(_CELLS.decode(row.values) for row in rows),
            tuple(row.requested for row in rows),
            _by_argument(result),
        )
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        location = f"{result.source_id}, call {result.call}"
        raise RejectedInputError(
            "bad_values", f"{location}: expected an object whose values are strings: {error}"
        ) from error


def _by_argument(result: ServiceResult) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for wording in result.wordings:
        words[wording.argument] = (*words.get(wording.argument, ()), wording.words)
    return words


def _method_of(definition: ApiDefinition) -> Method:
    service = definition.app or ""
    takes_effect = any(note.text.startswith(_TRANSACTIONAL) for note in definition.notes)
    arguments = []
    for parameter in definition.parameters:
        default = None if parameter.default is None else _DEFAULT.decode(parameter.default)
        values = tuple(value.value for value in parameter.enum_values)
        if values and default == ANY and ANY not in values:
            values = (*values, ANY)
        minutes = _SOFT.get((service.partition("_")[0], parameter.name), 0)
        arguments.append(
            Argument(
                parameter.name,
                required=not parameter.optional,
                about=parameter.description or "",
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
        tuple(
            return_field.name
            for return_field in definition.returns
            if return_field.name is not None
        ),
    )


class Methods:
    """The methods that API definitions declare; they can be looked up by a call or by services.

    Raises:
        RejectedInputError: a default is not a string (reason `bad_definition`).
    """

    def __init__(self, definitions: Iterable[ApiDefinition]) -> None:
        self._by_id: dict[str, Method] = {}
        self._of: dict[tuple[str, str], list[Method]] = {}
        for definition in sorted(
            definitions, key=lambda definition: (definition.api, definition.definition_id)
        ):
            try:
                method = _method_of(definition)
            except (msgspec.DecodeError, RecursionError) as error:
                message = f"{definition.api}: a default is not a string: {error}"
                raise RejectedInputError("bad_definition", message) from error
            self._by_id[definition.definition_id] = method
            for source in definition.sources:
                self._of.setdefault((source.source_uri, method.service), []).append(method)
        self._sources = {definition.definition_id: definition.sources for definition in definitions}

    def called(self, call: RecordedCall) -> Method:
        """Return the method of a call; raise `RejectedInputError` if the method is not defined."""
        declared_method = self._by_id.get(call.definition_id)
        if declared_method is None:
            message = f"{call.service}.{call.method}: no definition has the id {call.definition_id}"
            raise RejectedInputError("missing_definition", message)
        return declared_method

    def of_services(self, calls: Iterable[RecordedCall]) -> tuple[Method, ...]:
        """Return all methods of the services in these calls, sorted by service and name."""
        methods_by_name: dict[tuple[str, str], Method] = {}
        call_list = list(calls)
        for call in call_list:
            method = self.called(call)
            methods_by_name[method.service, method.name] = method
        for call in call_list:
            for source in self._sources[call.definition_id]:
                for method in self._of[source.source_uri, call.service]:
                    methods_by_name.setdefault((method.service, method.name), method)
        return tuple(methods_by_name[key] for key in sorted(methods_by_name))
