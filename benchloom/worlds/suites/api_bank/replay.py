"""Repeat the calls of recorded dialogues, and give a reason for each result that differs.

Each dialogue is repeated in a fresh session. A result can differ for these reasons:

- `recording_wrong`: the databases in the user's copy of API-Bank contradict the recorded result.
- `name_changed`: the databases contain a name in another letter case, or another name of a device.
- `worded_otherwise`: the recorded and the repeated call are refused with different messages.
- `unknown_tool`: the recorded call has a result, but API-Bank does not have its tool.
- `ours_wrong`: no other reason applies, so benchloom's tool probably behaves differently.

Calls are excluded for the reasons `needs_network`, `needs_model`, and `no_result` (no result was
recorded). The reason `damaged_line` counts the lines that cannot be read. Each file that cannot be
read is counted under the reason why it cannot be read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.core.records.values import Plain, rendered
from benchloom.exchange.examples import Call, Result
from benchloom.exchange.foreign.records import records_of
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.lines import read_talk
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suite import Difference, Replay
from benchloom.worlds.suites.api_bank.databases import Databases, databases_of
from benchloom.worlds.suites.api_bank.ids import Renaming, equal
from benchloom.worlds.suites.api_bank.part import APP
from benchloom.worlds.suites.api_bank.user_copy import is_dialogue, read_databases
from benchloom.worlds.suites.api_bank.world import world
from benchloom.worlds.world import World

_OLD_NAME = "device_id"
EXCLUDED = {
    "Dictionary": "needs_network",
    "ToolSearcher": "needs_model",
    "Translate": "needs_network",
}
_LONGEST_NAME = 200


class RepeatedCall(NamedTuple):
    """A recorded call with its recorded result, and the outcome of the repeated call.

    `number` is the call's position in the dialogue, from 1. `arguments` and `output` are recorded
    values in which the ids of the replay replace the recorded ids.
    """

    number: int
    name: str
    call: Call
    result: Result
    arguments: Mapping[str, Plain]
    output: Plain
    outcome: Outcome

    @property
    def is_equal(self) -> bool:
        """Whether the repeated call returned the recorded result or the recorded refusal."""
        if self.result.exception is not None or self.outcome.refused is not None:
            is_refused = self.outcome.refused is not None
            return is_refused and self.result.exception == self.outcome.message
        return equal(self.output, self.outcome.result)


def repeated(calls: Sequence[Call], suite_world: World) -> Iterator[RepeatedCall]:
    """Repeat recorded calls in a fresh session, except calls of tools in `EXCLUDED`.

    A call without a recorded result is repeated for its effects, but not yielded.
    """
    names = Renaming()
    with Session(suite_world) as session:
        for number, call in enumerate(calls, 1):
            name = tool_name(call)
            if name in EXCLUDED:
                continue
            arguments = {key: names.with_our_ids(value) for key, value in _recorded(call).items()}
            outcome = session.call(full_name(name), arguments)
            result = call.result
            if result is None:
                continue
            output = rendered(result.output, str)
            if result.exception is None and outcome.refused is None:
                names.learn(name, output, outcome.result)
            ours = names.with_our_ids(output)
            yield RepeatedCall(number, name, call, result, arguments, ours, outcome)


def tool_name(call: Call) -> str:
    """Return the name of the tool in a recorded call, without the name of its app."""
    return call_name(call.app, call.api)[:_LONGEST_NAME]


def _recorded(call: Call) -> dict[str, Plain]:
    return {argument.name: rendered(argument.value, str) for argument in call.arguments}


def replay(objects: Sequence[SourceObject]) -> Iterator[Replay]:
    """Repeat the calls of each recorded dialogue, and yield a report of the different results.

    For a damaged file, and for a `.jsonl` file without a dialogue, the report contains the fault.
    Other files without a dialogue are skipped.

    Raises:
        RunError: the files contain no database.
    """
    start = read_databases(objects)
    suite_world, databases = world(start), databases_of(start)
    for source in objects:
        try:
            data = source.read()
        except RejectedInputError as error:
            yield _unread(source.source_uri, error.reason, error.message)
            continue
        if is_dialogue(source.source_uri, data):
            yield _replay(source.source_uri, data, suite_world, databases)
        elif source.source_uri.endswith(".jsonl") and data.strip():
            yield _unread(source.source_uri, "wrong_shape", "no dialogue")


def _unread(uri: str, reason: str, message: str) -> Replay:
    return Replay(0, 0, 0, 0, 0, {reason: 1}, (_fault(uri, reason, message),))


def _fault(uri: str, reason: str, message: str) -> Difference:
    return Difference(uri, "", reason, "", msgspec.json.encode(message).decode())


def _replay(uri: str, data: bytes, suite_world: World, databases: Databases) -> Replay:
    rejected = list[Rejected]()
    talk = read_talk(records_of(uri, data), rejected)
    repetitions = list(repeated(talk.calls, suite_world))
    differences = [
        *(_fault(row.source_uri, "damaged_line", row.message) for row in rejected),
        *(_difference(uri, call, databases) for call in repetitions if not call.is_equal),
    ]
    excluded = Counter(
        EXCLUDED.get(tool_name(call), "no_result")
        for call in talk.calls
        if call.result is None or tool_name(call) in EXCLUDED
    )
    reasons = Counter(difference.reason for difference in differences) + excluded
    is_there = bool(talk.turns or talk.calls)  # a file without readable lines is no dialogue
    return Replay(
        dialogues=int(is_there),
        dialogues_equal=int(is_there and not differences),
        calls=len(repetitions),
        calls_equal=sum(repetition.is_equal for repetition in repetitions),
        excluded=excluded.total(),
        reasons=dict(sorted(reasons.items())),
        differences=tuple(differences),
    )


def _difference(uri: str, call: RepeatedCall, databases: Databases) -> Difference:
    return Difference(
        f"{uri}#call {call.number}",
        call.name,
        _reason(call, databases),
        _reply_text(rendered(call.result.output, str), call.result.exception),
        _reply_text(call.outcome.result, call.outcome.message or None),
    )


def _reason(call: RepeatedCall, databases: Databases) -> str:
    output, arguments = rendered(call.result.output, str), _recorded(call.call)
    if call.outcome.refused == "unknown_tool" and call.result.exception is None:
        return "unknown_tool"
    if call.result.exception is not None and call.outcome.refused is not None:
        return "worded_otherwise"
    if call.outcome.refused is None and equal(output, call.outcome.result, any_case=True):
        return "name_changed"
    answer = _answer(arguments, databases) if call.name == "DocumentQA" else None
    if answer is not None and answer != output:
        return "recording_wrong"
    if _OLD_NAME in arguments and _is_switched_by_another_name(arguments, databases):
        return "name_changed"
    return "ours_wrong"


def _answer(arguments: Mapping[str, Plain], databases: Databases) -> str | None:
    pairs = databases.question_answering.get(str(arguments.get("url")), [])
    return {pair.question: pair.answer for pair in pairs}.get(str(arguments.get("question")))


def _is_switched_by_another_name(arguments: Mapping[str, Plain], databases: Databases) -> bool:
    """Whether a timed switch is in the databases under another name than in the recorded call.

    This is assumed if no device has the recorded name, and exactly one device has a switch at the
    recorded time.
    """
    devices = [
        device
        for device, switches in databases.time_switch.items()
        if any(switch.time == arguments.get("time") for switch in switches)
    ]
    return arguments[_OLD_NAME] not in databases.time_switch and len(devices) == 1


def full_name(name: str) -> str:
    """Return the full name of a tool, such as `api_bank.QueryStock`."""
    return f"{APP}.{name}"


def _reply_text(output: Plain, exception: str | None) -> str:
    content = {"output": output} if exception is None else {"exception": exception}
    return msgspec.json.encode(content, order="sorted").decode()
