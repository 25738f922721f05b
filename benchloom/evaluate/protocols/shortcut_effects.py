"""The prompts of `shortcut_effects`, which ask for a whole shortcut as JSON.

A prompt lists all actions that the simulated device supports.
"""

from collections import defaultdict
from functools import cache
from typing import ClassVar

from benchloom.core.built_in_actions import ACTIONS
from benchloom.device.actions import all_actions
from benchloom.device.conformance.kit import all_examples
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER, PARAMETERS
from benchloom.evaluate.protocol import Message, Prompt, Protocol, Setting, as_json
from benchloom.worlds.everyday import NOW

_SYSTEM = f"""You write shortcuts for the Shortcuts app. Answer with one JSON object and nothing
else: {{{{"{ACTIONS}": [{{{{"{IDENTIFIER}": "...", "{PARAMETERS}": {{{{...}}}}}}}}, ...]}}}}. The
shortcut is run once, on a device whose clock says {{now}}. It asks nobody, and does only what the
user wants. These are the actions, one a line as JSON, with parameters that some of them take:
{{actions}}"""


class _ShortcutEffects(Protocol):
    variants: ClassVar = {"whole": "the whole shortcut as JSON, with all actions of the device"}

    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
        system = _SYSTEM.format(actions=_action_list(), now=NOW)
        return Prompt((Message("system", system), Message("user", sample.example.request or "")))


@cache
def _action_list() -> str:
    lines = []
    names: dict[str, set[str]] = defaultdict(set)
    for case in all_examples():
        names[case.identifier].update(case.parameters)
    for identifier, function in sorted(all_actions().items()):
        about = (function.__doc__ or "").partition("\n")[0]
        line = {
            "identifier": identifier,
            "does": about,
            "parameters": sorted(names[identifier]),
        }
        lines.append(as_json(line))
    return "\n".join(lines)


PROTOCOL = _ShortcutEffects()
