"""The prompts of ShortcutsBench, which ask for the next action of a shortcut.

A prompt contains the earlier actions of the shortcut, but not their results.
"""

from typing import ClassVar

from benchloom.core.built_in_actions import SERIALIZATION, UNCOUNTED_OR_NONE
from benchloom.core.identity import pick
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.positions import UNSCORED_APIS, position_of
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER, structure_of
from benchloom.evaluate.protocol import Message, Prompt, Protocol, Setting, as_json, lines_of
from benchloom.exchange.examples import Example

MAX_TOOLS = 20  # maximum tools in a prompt, unless the sample needs more
_FEWEST, _SPAN = 3, 3
HOW_VALUES_ARE_WRITTEN = """A value that is known is written as it is. Other values are objects:
- the result of an earlier action:
  {"Value": {"Type": "ActionOutput", "OutputUUID": "<its UUID>", "OutputName": "<its name>"}}
- a variable: {"Value": {"Type": "Variable", "VariableName": "<its name>"}}
- what is only known when the shortcut runs: {"Value": {"Type": "<kind>"}}, where the kind is Ask
  (the person is asked), ExtensionInput (what the shortcut is given), Clipboard, CurrentDate or
  DeviceDetails
- a text with any of these in it: {"Value": {"string": "<the text, with U+FFFC in their places>",
  "attachmentsByRange": {"{<place>, 1}": {"Type": ...}}}}, where places are counted in UTF-16 units
To take one key of a result that is a dictionary, add to what stands in "Value": "Aggrandizements":
[{"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "<key>"}]; for a property:
[{"Type": "WFPropertyVariableAggrandizement", "PropertyName": "<name>"}]."""
"""The part of the prompt that explains how values are written in prompts and answers."""


# The model sees only the id and the name of a result, not its content. Comments, alerts and the
# types of value wrappers are left out.
def done_so_far(sample: Sample) -> list[dict[str, Plain]]:
    """Return the actions before the predicted action in order, each with the id of its result."""
    own = position_of(sample)
    labels = labels_of(own.uuids)
    at = own.position or 0
    actions: list[dict[str, Plain]] = []
    for step, call in enumerate(own.example.calls[:at]):
        if call.api not in UNSCORED_APIS:
            action = structure_of(call, labels, step, uuid=labels.label(step, at))
            actions.append({name: _bare(value) for name, value in action.items()})
    return actions


def distractor_count(example: Example, seed: int) -> int:
    """Return the number of unneeded actions in a prompt: 3 to 5 for each needed action.

    A prompt has at most 20 actions in all, unless the sample needs more.
    """
    own = len({call.api for call in example.calls} - UNCOUNTED_OR_NONE)
    times = _FEWEST + pick(seed, 0, f"distractors {example.example_id}", _SPAN)
    return max(0, min(own * times, MAX_TOOLS - own))


def _bare(value: Plain) -> Plain:
    if isinstance(value, list):
        return [_bare(element) for element in value]
    if isinstance(value, dict):
        return {name: _bare(member) for name, member in value.items() if name != SERIALIZATION}
    return value


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
    variants: ClassVar = {"paper": "the next action as JSON; the prompt shows the earlier actions"}

    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
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
        system = _SYSTEM.format(
            apis=lines_of(definitions, _name_fields), values=HOW_VALUES_ARE_WRITTEN
        )
        return Prompt((Message("system", system), Message("user", user)))

    def distractors(self, sample: Sample, seed: int) -> int:
        return distractor_count(sample.example, seed)


def _name_fields(definition: ApiDefinition) -> dict[str, Plain]:
    return {IDENTIFIER: definition.api}


PROTOCOL = _Shortcuts()
