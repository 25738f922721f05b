"""Convert dialogues to samples: one for each call, and one for each response after a call.

Samples are in the order of files by name and calls by position; the response to a call comes
directly after the call. The id of a call consists of the name of its file, `#` and the index of the
call from 0 (`AddAlarm-1.jsonl#2`). If the file has many records, the id of the record comes between
the file name and the index. The id of a response is the id of its call followed by `/response`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import cast

from benchloom.core.records.api_definition import Parameter
from benchloom.core.records.values import Plain, rendered
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.gold import unique_name
from benchloom.evaluate.protocol import CALL, RESPONSE
from benchloom.exchange.examples import Call, Example, Result
from benchloom.exchange.examples.filled_references import plain_arguments
from benchloom.exchange.foreign.catalogue import stem_of
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.talks import LEVEL
from benchloom.exchange.formats.api_bank.tools import SEARCH

_PLANS = re.compile(r"(?:level|lv)[-_]?3", re.IGNORECASE)
_SHORTEST = 4  # minimum characters of a random id; shorter texts may be equal by chance
_SETTERS = {
    "RegisterUser": "password",
    "ForgotPassword": "new_password",
    "ModifyPassword": "new_password",
}
_DRAWERS = frozenset({"RegisterUser", "AppointmentRegistration"})


# The published scorer runs every recorded call on a fresh database, without the changes and random
# ids of earlier calls in the dialogue. Only passwords, accounts and random ids matter: the initial
# state already contains all other data that the dialogues add and use later.
class FreshDatabase:
    """Tracks the changes that earlier calls of a dialogue have made to the database.

    The published scorer runs every call on a fresh database without these changes, so some recorded
    calls fail there.
    """

    def __init__(self) -> None:
        self._passwords: set[str] = set()
        self._drawn: set[str] = set()
        self._users: set[str] = set()
        self._sent_code = self._deleted = False

    def fault(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> str:
        """Record a call, and return why it fails on a fresh database, or "" if it succeeds."""
        why = self._fault(api, arguments, result)
        self._take(api, arguments, result)
        return why

    def _fault(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> str:
        values = {value for value in arguments.values() if isinstance(value, str)}
        if api == "ForgotPassword" and self._sent_code and "verification_code" in arguments:
            return "the code was sent by an earlier call"
        if api == "GetUserToken" and arguments.get("password") in self._passwords:
            return "the password was set by an earlier call"
        if api == "RegisterUser" and self._deleted and arguments.get("username") in self._users:
            return "the account was deleted by an earlier call"
        if (values | _texts(result, names=True)) & self._drawn:
            return "an earlier call generated this id"
        return ""

    def _take(self, api: str, arguments: Mapping[str, Plain], result: Result | None) -> None:
        if result is not None and result.exception is not None:
            return
        if isinstance(user := arguments.get("username"), str):
            self._users.add(user)
        if isinstance(password := arguments.get(_SETTERS.get(api, "")), str):
            self._passwords.add(password)
        if api in _DRAWERS:
            result_texts = _texts(result, names=False)
            self._drawn |= {text for text in result_texts if len(text) >= _SHORTEST}
        self._sent_code |= api == "ForgotPassword"
        self._deleted |= api == "DeleteAccount"


def _texts(result: Result | None, *, names: bool) -> set[str]:
    texts: set[str] = set()
    waiting = [] if result is None else [rendered(result.output, str)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.add(value)
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            texts.update(value if names else ())
            waiting += value.values()
    return texts


class GoldSample(Sample, frozen=True, kw_only=True):
    """A sample with data that scorers need, which are derived from its dialogue."""

    name: str = ""
    arguments: Mapping[str, Plain] = {}
    recorded: Mapping[str, Plain] | None = None  # arguments as the tool understood them
    parameters: tuple[Parameter, ...] = ()
    text: str = ""  # the expected response
    twice: bool = False  # whether the published scorer counts the call twice
    fresh: str = ""  # why the call fails on a fresh database, for the published rules


def samples_of(examples: Iterable[Example]) -> Iterator[GoldSample]:
    """Yield the samples in all dialogues in order; each sample has a unique id."""
    used_names: Counter[str] = Counter()
    for example in examples:
        yield from _samples(example, unique_name(_name(example), used_names, "~"))


def as_gold_sample(sample: Sample) -> GoldSample:
    """Convert a sample to a `GoldSample`, with data that are derived from its dialogue."""
    if isinstance(sample, GoldSample):
        return sample
    for candidate in _samples(sample.example, ""):
        if candidate.position == sample.position and candidate.aspect == sample.aspect:
            return candidate
    return GoldSample(sample_id=sample.sample_id, example=sample.example, aspect=sample.aspect)


def _samples(example: Example, name: str) -> Iterator[GoldSample]:
    calls = example.calls
    parameters_by_id = {tool.definition_id: tool.parameters for tool in example.definitions}
    level = level_of(example)
    first = _first_turns(example)
    fresh = FreshDatabase()
    for index, call in enumerate(calls):
        call_id = f"{name}#{index}"
        api = call_name(call.app, call.api)
        call_arguments = plain_arguments(call, calls)
        recorded = _recorded_arguments(call)
        yield GoldSample(
            sample_id=call_id,
            example=example,
            position=index,
            level=level,
            category=api,
            aspect=CALL,
            name=api,
            arguments=call_arguments,
            recorded=recorded,
            parameters=parameters_by_id.get(call.definition_id, ()),
            twice=index > 0 and index not in first and level != "level-3",
            fresh=fresh.fault(api, call_arguments, call.result),
        )
        turn = first.get(index + 1)
        if turn is not None and turn[0] == "assistant":
            yield GoldSample(
                sample_id=f"{call_id}/response",
                example=example,
                position=index + 1,
                level=level,
                category=api,
                aspect=RESPONSE,
                text=turn[1],
            )


def _first_turns(example: Example) -> dict[int, tuple[str, str]]:
    first_turns: dict[int, tuple[str, str]] = {}
    for turn in example.turns:
        first_turns.setdefault(turn.before, (turn.role, turn.text))
    return first_turns


def level_of(example: Example) -> str:
    """Return the API-Bank level of a dialogue, from the name of its folder or else its content.

    Numbers in the names of dialogue files count APIs and are not levels. A record of a request with
    its calls has level 3 if its file name says so or its first call is a tool search. Any other
    dialogue has level 2 if it contains a tool search, and level 1 otherwise.
    """
    path = PurePosixPath(example.source_uri.replace("!", "/").partition("#")[0])
    match = LEVEL.search(path.parent.name)
    if match:
        return f"level-{match[1]}"
    begins_with_search = bool(example.calls) and example.calls[0].api == SEARCH
    if _is_record(example) and (_PLANS.search(path.name) or begins_with_search):
        return "level-3"
    return "level-2" if any(call.api == SEARCH for call in example.calls) else "level-1"


def _is_record(example: Example) -> bool:
    return example.source_id != stem_of(example.source_uri)


def _name(example: Example) -> str:
    if not example.source_uri:
        return example.example_id
    file = PurePosixPath(example.source_uri.replace("!", "/").partition("#")[0]).name
    return f"{file}#{example.source_id}" if _is_record(example) else file


def _recorded_arguments(call: Call) -> Mapping[str, Plain] | None:
    if call.result is None or not isinstance(call.result.input, dict):
        return None
    return cast("Mapping[str, Plain]", rendered(call.result.input, str))
