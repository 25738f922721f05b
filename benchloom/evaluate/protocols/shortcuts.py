"""ShortcutsBench: the next action of a shortcut, those before it told; no results are seen."""

from collections.abc import Sequence
from typing import ClassVar

from benchloom.draws import pick
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.positions import NOT_TOLD, position_of
from benchloom.evaluate.benchmarks.shortcuts.structure import structure_of
from benchloom.evaluate.protocol import (
    Message,
    Prompt,
    Protocol,
    Reply,
    Setting,
    as_json,
    lines_of,
)

_SYSTEM = """You build a shortcut for a user, one action after the other. These are the actions, one
a line as JSON; their API is the identifier:
{apis}

Answer with one JSON object and nothing else. It has "Thought", why this action comes next;
"WFWorkflowActionIdentifier", the identifier; and "WFWorkflowActionParameters", an object of its
parameters. Results of earlier actions, variables and what the user or the device has to tell are
values as shortcut files have them:
{{"Value": {{"Type": "ActionOutput", "OutputUUID": "...", "OutputName": "..."}}}} for a result, and
{{"Value": {{"Type": "Ask"}}}} for what the user is asked when it runs (other types: ExtensionInput,
CurrentDate, Clipboard, DeviceDetails). Once nothing is left to do, the identifier is "Finish"."""
_USER = """{request}

{done}"""
_NOTHING = "Nothing was done yet. What is the first action?"
_SO_FAR = """These actions were done, the first one first:
{actions}
What is the next action?"""
_MOST_TOOLS = 20


class Shortcuts(Protocol):
    """One prompt per action."""

    variants: ClassVar = {"paper": "the next action as JSON, the actions before it told"}

    def ask(
        self, variant: str, sample: Sample, replies: Sequence[Reply], setting: Setting
    ) -> Prompt | None:
        """The actions, the request and what was done so far."""
        del variant
        if replies:
            return None
        done = told_actions(sample)
        user = _USER.format(
            request=sample.example.request or "",
            done=_SO_FAR.format(actions="\n".join(done)) if done else _NOTHING,
        )
        system = _SYSTEM.format(apis=lines_of(setting.told(sample)))
        return Prompt((Message("system", system), Message("user", user)))

    def distractors(self, sample: Sample, seed: int) -> int:
        """Three to five per action that is needed, twenty in all at most."""
        own = len(sample.example.definitions)
        times = 3 + pick(seed, 0, f"distractors {sample.example.example_id}", 3)
        return max(0, min(own * times, _MOST_TOOLS - own))


def told_actions(sample: Sample) -> list[str]:
    """The actions before the one to predict, each with the id of its result, one a line."""
    own = position_of(sample)
    place, labels = own.position or 0, labels_of(own.uuids)
    return [
        as_json(structure_of(call, labels, step, uuid=labels.label(step, place)))
        for step, call in enumerate(own.example.calls[:place])
        if call.api not in NOT_TOLD
    ]


PROTOCOL = Shortcuts()
