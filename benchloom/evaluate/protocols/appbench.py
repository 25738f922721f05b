"""The prompts of AppBench, which ask for all calls that a request needs, across several apps.

In the hierarchical variant, the first prompt describes all apps and asks for the names of the
needed apps; the second prompt contains only the APIs of these apps. In the flat variant, a single
prompt contains the APIs of all apps.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Sample
from benchloom.evaluate.protocol import Message, Prompt, Protocol, Reply, Setting, lines_of
from benchloom.exchange.examples import Argument, Call, Example, Ref

HIERARCHICAL, FLAT = "hierarchical", "flat"
TODAY = "2019-03-01"  # the day of the dialogues from which the benchmark was made
_APPS = """Which of the apps below are needed to fulfil the user's request? Answer with their names,
separated by commas, and nothing else.

{apps}"""
_CALLS = """You plan API calls that fulfil a user's request. Today is {today}.

These are the APIs, one a line as JSON:
{apis}

Write one line for every call, in an order in which the calls can run. A line has the name of the
app, a colon, and in square brackets the call: the names of its outputs, an equals sign, the app and
the API joined by an underscore, and in brackets the arguments, each with a # before its name.
Values that the user tells stand in quotation marks; where a value is an output of an earlier call,
the name of that output stands there without them. For example, to look up a dish and to
set a timer by it:
{form}
Write the lines and nothing else."""
_FORM = Example(
    example_id="form",
    target_id="form",
    source="form",
    source_id="form",
    source_uri="form",
    calls=(
        Call("Kitchen", "FindDish", (Argument("name", "pea soup"),), "", ("dish", "minutes")),
        Call("Kitchen", "SetTimer", (Argument("length", Ref(0, "minutes")),), "", ("ends_at",)),
    ),
)
_MAX_APIS = 6
_ADDED = 10


class _AppBench(Protocol):
    variants: ClassVar = {
        HIERARCHICAL: "the apps first, then calls with only the APIs of these apps",
        FLAT: "calls with the APIs of all apps",
    }
    most_shots = 5
    shows_all_tools = True

    def ask(
        self, variant: str, sample: Sample, replies: Sequence[Reply], setting: Setting
    ) -> Prompt | None:
        if variant == HIERARCHICAL and not replies:
            return self.prompt(sample, setting)
        request = Message("user", sample.example.request or "")
        definitions = setting.prompt_apis(sample)
        if variant == HIERARCHICAL:
            apps = _apps_in(replies[0].text, (definition.app or "" for definition in definitions))
            definitions = tuple(
                definition for definition in definitions if (definition.app or "") in apps
            )
        if len(replies) == (2 if variant == HIERARCHICAL else 1) or not definitions:
            return None
        form = setting.benchmark.text_of(Sample(sample_id="form", example=_FORM), _FORM.calls)
        system = _CALLS.format(today=TODAY, apis=lines_of(definitions, _name_fields), form=form)
        return Prompt((Message("system", system), *_shots(setting, apps=False), request))

    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
        """Return the prompt that asks for the names of the needed apps."""
        system = Message("system", _APPS.format(apps=_about_apps(setting.prompt_apis(sample))))
        request = Message("user", sample.example.request or "")
        return Prompt((system, *_shots(setting, apps=True), request))

    def distractors(self, sample: Sample, seed: int) -> int:
        """Return the number of unneeded tools for the variant `tools`; others show all tools."""
        return _ADDED

    def output(self, variant: str, replies: Sequence[Reply]) -> str:
        expected_count = 2 if variant == HIERARCHICAL else 1
        return replies[-1].text if len(replies) == expected_count else ""


def _apps_in(text: str, apps: Iterable[str]) -> set[str]:
    words = set(re.findall(r"\w+", text))
    known_apps = set(apps)
    return {
        app for app in known_apps if app and (app in words or set(re.findall(r"\w+", app)) <= words)
    }


def _name_fields(definition: ApiDefinition) -> dict[str, Plain]:
    return {"app": definition.app or "", "api": definition.api}


def _about_apps(definitions: Iterable[ApiDefinition]) -> str:
    by_app: dict[str, list[str]] = {}
    for definition in sorted(
        definitions, key=lambda definition: (definition.app or "", definition.api)
    ):
        by_app.setdefault(definition.app or "", []).append(
            definition.title or definition.description or definition.api
        )
    return "\n".join(f"{app}: {'; '.join(what[:_MAX_APIS])}" for app, what in by_app.items())


def _shots(setting: Setting, *, apps: bool) -> list[Message]:
    messages = []
    for shot in setting.shots:
        calls = shot.example.calls
        answer = (
            ", ".join(dict.fromkeys(call.app for call in calls))
            if apps
            else setting.benchmark.text_of(shot, calls)
        )
        messages.append(Message("user", shot.example.request or ""))
        messages.append(Message("assistant", answer))
    return messages


PROTOCOL = _AppBench()
