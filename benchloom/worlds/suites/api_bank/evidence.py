"""Explain why a recorded result differs from ours, from the copy's databases."""

from collections.abc import Mapping

from benchloom.core.records.values import Plain, rendered
from benchloom.exchange.examples import Result
from benchloom.worlds.session import Outcome
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.renaming import equal

RECORDING_WRONG = "recording_wrong"
NAME_CHANGED = "name_changed"
WORDED_OTHERWISE = "worded_otherwise"
UNKNOWN_TOOL = "unknown_tool"
OURS_WRONG = "ours_wrong"
_OLD_NAME = "device_id"


class Evidence:
    """Evidence in the databases of a copy; `replaying` lists the reasons."""

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
        """Return the reason of a difference: `ours_wrong` unless there is evidence for another."""
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
        """Whether the database has another answer to the recorded question."""
        answer = self._answers.get((str(arguments.get("url")), str(arguments.get("question"))))
        return answer is not None and answer != output

    def _is_switched_by_another_name(self, arguments: Mapping[str, Plain]) -> bool:
        """Whether no device has the recorded id, but exactly one switches at that time."""
        switches = self._databases.time_switch
        named = [
            name
            for name, all_ in switches.items()
            if any(switch.time == arguments.get("time") for switch in all_)
        ]
        return arguments[_OLD_NAME] not in switches and len(named) == 1
