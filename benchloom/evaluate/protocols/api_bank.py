"""The prompts of API-Bank, which ask for the next call or the next response of a dialogue."""

from typing import ClassVar

from msgspec.structs import replace

from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.protocol import (
    CALL,
    RESPONSE,
    Called,
    Message,
    Prompt,
    Protocol,
    Setting,
    by_name,
    history,
    lines_of,
)

_CALL = """You help a user by calling APIs. From the dialogue so far, write the one API call that
comes next and nothing else, in this form:
[ApiName(name='value', other='value')]
The year is 2023. What was called before stands in the dialogue, each call with what it gave back.
These are the APIs, one a line as JSON:
{apis}"""
_RESPONSE = """You help a user by calling APIs. From the dialogue so far, write what you say to the
user next: one short message, no call. The year is 2023. What was called before stands in the
dialogue, each call with what it gave back. These are the APIs, one a line as JSON:
{apis}"""


class _ApiBank(Protocol):
    variants: ClassVar = {"paper": "the next call as a text, after earlier calls with results"}

    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
        text = _RESPONSE if sample.aspect == RESPONSE else _CALL
        messages = [
            Message("system", text.format(apis=lines_of(setting.prompt_apis(sample), by_name)))
        ]
        for entry in history(sample):
            if isinstance(entry, Called):
                call_sample = replace(sample, position=entry.number, aspect=CALL)
                call = setting.benchmark.text_of(call_sample, [sample.example.calls[entry.number]])
                messages.append(Message("system", f"{call} gave back: {entry.result}"))
            else:
                messages.append(Message(entry.role, entry.text))
        return Prompt(tuple(messages))


PROTOCOL = _ApiBank()
