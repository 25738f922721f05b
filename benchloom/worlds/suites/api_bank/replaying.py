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
from benchloom.worlds.suites.api_bank.loading import read_databases
from benchloom.worlds.suites.api_bank.part import APP
from benchloom.worlds.suites.api_bank.renaming import Renaming, equal
from benchloom.worlds.suites.api_bank.unanswered import is_dialogue
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
    encoded_message = msgspec.json.encode(message).decode()
    return Replay(0, 0, 0, 0, 0, {reason: 1}, (Difference(uri, "", reason, "", encoded_message),))


def _replay(uri: str, data: bytes, suite_world: World, evidence: Evidence) -> Replay:
    rejected: list[Rejected] = []
    talk = read_talk(records_of(uri, data), rejected)
    dialogue = _Dialogue(uri, suite_world, evidence)
    for rejection in rejected:
        dialogue.damaged(rejection)
    with Session(suite_world) as session:
        for number, call in enumerate(talk.calls, 1):
            dialogue.replay(session, number, call)
    return dialogue.summary(is_there=bool(talk.turns or talk.calls))


class _Dialogue:
    def __init__(self, uri: str, suite_world: World, evidence: Evidence) -> None:
        self._uri = uri
        self._world = suite_world
        self._evidence = evidence
        self._names = Renaming()
        self._differences: list[Difference] = []
        self._reasons: Counter[str] = Counter()
        self._calls = self._equal = self._excluded = 0

    def damaged(self, row: Rejected) -> None:
        """Count a line that cannot be parsed."""
        encoded_message = msgspec.json.encode(row.message).decode()
        self._reasons["damaged_line"] += 1
        self._differences.append(
            Difference(row.source_uri, "", "damaged_line", "", encoded_message)
        )

    def replay(self, session: Session, number: int, call: Call) -> None:
        """Repeat a recorded call; a call without a recorded result is made only for its effects."""
        name = call_name(call.app, call.api)[:_LONGEST_NAME]
        if name in EXCLUDED:
            self._exclude(EXCLUDED[name])
            return
        recorded_given = {
            argument.name: rendered(argument.value, str) for argument in call.arguments
        }
        call_arguments = {
            key: self._names.with_our_ids(value) for key, value in recorded_given.items()
        }
        outcome = session.call(full_name(name), call_arguments)
        if call.result is None:
            self._exclude("no_result")
            return
        self._calls += 1
        output = rendered(call.result.output, str)
        if call.result.exception is None and outcome.refused is None:
            self._names.learn(name, output, outcome.result)
        if same(call.result, self._names.with_our_ids(output), outcome):
            self._equal += 1
            return
        reason = self._evidence.reason(name, recorded_given, call.result, outcome)
        self._reasons[reason] += 1
        output_texts = (
            _reply_text(output, call.result.exception),
            _reply_text(outcome.result, outcome.message or None),
        )
        self._differences.append(
            Difference(f"{self._uri}#call {number}", name, reason, *output_texts)
        )

    def summary(self, *, is_there: bool) -> Replay:
        """Return the replay; a file without readable lines does not count as a dialogue."""
        return Replay(
            dialogues=int(is_there),
            dialogues_equal=int(is_there and not self._differences),
            calls=self._calls,
            calls_equal=self._equal,
            excluded=self._excluded,
            reasons=dict(sorted(self._reasons.items())),
            differences=tuple(self._differences),
        )

    def _exclude(self, reason: str) -> None:
        self._excluded += 1
        self._reasons[reason] += 1


def full_name(name: str) -> str:
    """Return the full name of a tool."""
    return f"{APP}.{name}"


def same(result: Result, output: Plain, outcome: Outcome) -> bool:
    """Whether a recorded result equals the outcome of a call, after its ids are replaced."""
    if result.exception is not None or outcome.refused is not None:
        return outcome.refused is not None and result.exception == outcome.message
    return equal(output, outcome.result)


def _reply_text(output: Plain, exception: str | None) -> str:
    content = {"output": output} if exception is None else {"exception": exception}
    return msgspec.json.encode(content, order="sorted").decode()
