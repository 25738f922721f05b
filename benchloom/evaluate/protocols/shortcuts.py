"""ShortcutsBench: ask for the next action of a shortcut, after earlier ones without results."""

from collections.abc import Sequence
from typing import ClassVar

from benchloom.core.built_in_actions import UNCOUNTED_OR_NONE
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.shortcuts.history import (
    HOW_VALUES_ARE_WRITTEN,
    distractor_count,
    done_so_far,
)
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER
from benchloom.evaluate.protocol import Message, Prompt, Protocol, Reply, Setting, as_json, lines_of

_SYSTEM = """You build a shortcut for a user, one action after the other. These are the actions, one
a line as JSON:
{apis}

Answer with one JSON object and nothing else. It has "Thought", why this action comes next;
"WFWorkflowActionIdentifier", the identifier; and "WFWorkflowActionParameters", an object of its
parameters. Once nothing is left to do, the identifier is "Finish".
{values}"""
_USER = """{request}

{done}"""
_NOTHING = "Nothing was done yet. What is the first action?"
_SO_FAR = """These actions were done, the first one first:
{actions}
What is the next action?"""


class _Shortcuts(Protocol):
    variants: ClassVar = {"paper": "the next action as JSON, the actions before it told"}

    def ask(
        self, variant: str, sample: Sample, replies: Sequence[Reply], setting: Setting
    ) -> Prompt | None:
        if replies:
            return None
        done = "\n".join(as_json(action) for action in done_so_far(sample))
        user = _USER.format(
            request=sample.example.request or "",
            done=_SO_FAR.format(actions=done) if done else _NOTHING,
        )
        definitions = [
            definition
            for definition in setting.prompt_apis(sample)
            if definition.api not in UNCOUNTED_OR_NONE
        ]
        system = _SYSTEM.format(apis=lines_of(definitions, _named), values=HOW_VALUES_ARE_WRITTEN)
        return Prompt((Message("system", system), Message("user", user)))

    def distractors(self, sample: Sample, seed: int) -> int:
        """Return the number of distractors: three to five per needed action, at most twenty."""
        return distractor_count(sample.example, seed)


def _named(definition: ApiDefinition) -> dict[str, Plain]:
    return {IDENTIFIER: definition.api}


PROTOCOL = _Shortcuts()
