"""Map the ids in a dialogue's recorded results to the ids that a replay generates instead.

A tool generates another id in the replay than in the recording. Later calls of the
recording contain the recorded id, which the replay must replace.
"""

from benchloom.core.records.values import Plain
from benchloom.worlds.suites.api_bank.tools import drawn_ids


class Renaming:
    """A one-to-one mapping from the recorded ids of a dialogue to the ids of its replay."""

    def __init__(self) -> None:
        self._ours: dict[str, str] = {}
        self._theirs: dict[str, str] = {}

    def learn(self, tool: str, recorded: Plain, our_value: Plain) -> None:
        """Map the id in a recorded result of a tool to the id in the result of the repeated call.

        Nothing happens if the tool generates no id, or if one of the two ids is already mapped.
        """
        if tool not in drawn_ids():
            return
        for name in drawn_ids()[tool]:
            recorded = recorded.get(name) if isinstance(recorded, dict) else None
            our_value = our_value.get(name) if isinstance(our_value, dict) else None
        if not _is_id(recorded) or type(recorded) is not type(our_value):
            return
        theirs, ours = str(recorded), str(our_value)
        if theirs not in self._ours and ours not in self._theirs:
            self._ours[theirs] = ours
            self._theirs[ours] = theirs

    def with_our_ids(self, value: Plain) -> Plain:
        """Return a value in which the mapped recorded ids are replaced by the ids of the replay."""
        if isinstance(value, dict):
            return {
                self._ours.get(name, name): self.with_our_ids(member)
                for name, member in value.items()
            }
        if isinstance(value, list):
            return [self.with_our_ids(member) for member in value]
        if _is_id(value) and str(value) in self._ours:
            ours = self._ours[str(value)]
            return int(ours) if isinstance(value, int) else ours
        return value


def equal(recorded: Plain, our_value: Plain, *, any_case: bool = False) -> bool:
    """Whether two JSON values are equal; 25 equals 25.0, but true does not equal 1.

    With `any_case`, strings are compared without regard to letter case.
    """
    if isinstance(recorded, dict) and isinstance(our_value, dict):
        return recorded.keys() == our_value.keys() and all(
            equal(member, our_value[name], any_case=any_case) for name, member in recorded.items()
        )
    if isinstance(recorded, list) and isinstance(our_value, list):
        return len(recorded) == len(our_value) and all(
            equal(member, other, any_case=any_case)
            for member, other in zip(recorded, our_value, strict=True)
        )
    if isinstance(recorded, bool) or isinstance(our_value, bool):
        return recorded is our_value
    if any_case and isinstance(recorded, str) and isinstance(our_value, str):
        return recorded.casefold() == our_value.casefold()
    return recorded == our_value


def _is_id(value: Plain) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""
