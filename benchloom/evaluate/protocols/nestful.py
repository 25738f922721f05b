"""The prompts of NESTFUL, which ask for nested calls as a JSON list, after worked examples."""

from typing import ClassVar

from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.protocol import Message, Prompt, Protocol, Setting, by_name, lines_of

_SYSTEM = """You answer requests by a sequence of function calls. These are the functions, one a
line as JSON:
{functions}

Answer with a JSON list and nothing else. Each call is an object with "name", "arguments" and
"label": the labels are $var_1, $var_2 and so on, in the order of the calls. Where an argument is
an output of an earlier call, write the label, a point, the name of the output and a closing dollar
sign: $var_1.OUTPUT$. Where no function helps, answer with an empty list."""
_MAX_TOOLS = 12


class _Nestful(Protocol):
    variants: ClassVar = {"paper": "a JSON list of all calls, after 0 to 3 worked examples"}
    most_shots = 3

    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
        definitions = [*setting.prompt_apis(sample)]
        messages = []
        for shot in setting.shots:
            definitions += shot.example.definitions
            answer = setting.benchmark.text_of(shot, shot.example.calls)
            messages.append(Message("user", shot.example.request or ""))
            messages.append(Message("assistant", answer))
        definitions_by_id = {definition.definition_id: definition for definition in definitions}
        functions = lines_of(definitions_by_id.values(), by_name)
        system = Message("system", _SYSTEM.format(functions=functions))
        return Prompt((system, *messages, Message("user", sample.example.request or "")))

    def distractors(self, sample: Sample, seed: int) -> int:
        """Return how many unneeded functions to add for a prompt with at least twelve functions."""
        return max(0, _MAX_TOOLS - len(sample.example.definitions))


PROTOCOL = _Nestful()
