"""Replay recorded dialogues, each in a fresh session, and explain every difference.

Reasons of differences:

- `recording_wrong`: the copy's databases contradict the recording;
- `name_changed`: the databases have a newer name for an argument or a result;
- `worded_otherwise`: both calls are refused, with different texts;
- `unknown_tool`: the recorded call of a tool that API-Bank does not have returned a result;
- `ours_wrong`: none of these.

Excluded calls: `needs_network`, `needs_model`, and `no_result` if no result was recorded.
`damaged_line` and the reasons of files count what cannot be read.
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

RECORDING_WRONG = "recording_wrong"
NAME_CHANGED = "name_changed"
WORDED_OTHERWISE = "worded_otherwise"
UNKNOWN_TOOL = "unknown_tool"
OURS_WRONG = "ours_wrong"
_OLD_NAME = "device_id"


class Evidence:
    """The databases of a copy, searched for the reason why a replayed call has another result.

    The module lists the reasons.
    """

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._answers = {
            (url, qa_pair.question): qa_pair.answer
            for url, answers in databases.question_answering.items()
            for qa_pair in answers
        }

    def reason(
        self, tool: str, arguments: Mapping[str, Plain], result: Result, outcome: Outcome
    ) -> str:
        """Return why a replayed result differs from the recorded one, by default `ours_wrong`."""
        output = rendered(result.output, str)
        if outcome.refused == "unknown_tool" and result.exception is None:
            return UNKNOWN_TOOL
        if result.exception is not None and outcome.refused is not None:
            return WORDED_OTHERWISE
        if outcome.refused is None and equal(output, outcome.result, any_case=True):
            return NAME_CHANGED
        if tool == "DocumentQA" and self._is_answered(arguments, output):
            return RECORDING_WRONG
        if _OLD_NAME in arguments and self._is_switched_by_another_name(arguments):
            return NAME_CHANGED
        return OURS_WRONG

    def _is_answered(self, arguments: Mapping[str, Plain], output: Plain) -> bool:
        answer = self._answers.get((str(arguments.get("url")), str(arguments.get("question"))))
        return answer is not None and answer != output

    def _is_switched_by_another_name(self, arguments: Mapping[str, Plain]) -> bool:
        """Whether no device has the recorded name, but one is switched at the recorded time."""
        switches = self._databases.time_switch
        named = [
            name
            for name, all_ in switches.items()
            if any(switch.time == arguments.get("time") for switch in all_)
        ]
        return arguments[_OLD_NAME] not in switches and len(named) == 1


EXCLUDED = {
    "Dictionary": "needs_network",
    "ToolSearcher": "needs_model",
    "Translate": "needs_network",
}
_LONGEST_NAME = 200


class RepeatedCall(NamedTuple):
    """A recorded call with its result, and what its repetition came to.

    `arguments` and `output` are the recorded ones, with the ids of the replay.
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
        """Whether the repetition has the recorded result, or the recorded refusal."""
        if self.result.exception is not None or self.outcome.refused is not None:
            is_refused = self.outcome.refused is not None
            return is_refused and self.result.exception == self.outcome.message
        return equal(self.output, self.outcome.result)


def repeated(calls: Sequence[Call], suite_world: World) -> Iterator[RepeatedCall]:
    """Repeat recorded calls in a fresh session; calls of excluded tools are skipped.

    A call without a recorded result is made only for its effects.
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
    """Return the name of the tool of a recorded call."""
    return call_name(call.app, call.api)[:_LONGEST_NAME]


def _recorded(call: Call) -> dict[str, Plain]:
    return {argument.name: rendered(argument.value, str) for argument in call.arguments}


def replay(objects: Sequence[SourceObject]) -> Iterator[Replay]:
    """Yield a replay for each file that contains a dialogue, or a damaged dialogue.

    Raises:
        RunError: the files contain no database.
    """
    start = read_databases(objects)
    suite_world, evidence = world(start), Evidence(databases_of(start))
    for source in objects:
        try:
            data = source.read()
        except RejectedInputError as error:
            yield _unread(source.source_uri, error.reason, error.message)
            continue
        if is_dialogue(source.source_uri, data):
            yield _replay(source.source_uri, data, suite_world, evidence)
        elif source.source_uri.endswith(".jsonl") and data.strip():
            yield _unread(source.source_uri, "wrong_shape", "no dialogue")


def _unread(uri: str, reason: str, message: str) -> Replay:
    return Replay(0, 0, 0, 0, 0, {reason: 1}, (_fault(uri, reason, message),))


def _fault(uri: str, reason: str, message: str) -> Difference:
    return Difference(uri, "", reason, "", msgspec.json.encode(message).decode())


def _replay(uri: str, data: bytes, suite_world: World, evidence: Evidence) -> Replay:
    rejected = list[Rejected]()
    talk = read_talk(records_of(uri, data), rejected)
    repetitions = list(repeated(talk.calls, suite_world))
    differences = [
        *(_fault(row.source_uri, "damaged_line", row.message) for row in rejected),
        *(_difference(uri, call, evidence) for call in repetitions if not call.is_equal),
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


def _difference(uri: str, repetition: RepeatedCall, evidence: Evidence) -> Difference:
    result, outcome = repetition.result, repetition.outcome
    return Difference(
        f"{uri}#call {repetition.number}",
        repetition.name,
        evidence.reason(repetition.name, _recorded(repetition.call), result, outcome),
        _reply_text(rendered(result.output, str), result.exception),
        _reply_text(outcome.result, outcome.message or None),
    )


def full_name(name: str) -> str:
    """Return the full name of a tool."""
    return f"{APP}.{name}"


def _reply_text(output: Plain, exception: str | None) -> str:
    content = {"output": output} if exception is None else {"exception": exception}
    return msgspec.json.encode(content, order="sorted").decode()
