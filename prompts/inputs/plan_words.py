"""Describe a plan's API calls in words for a prompt, with the origin of each value."""

import msgspec

from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall
from prompts.language.words import plain, title_words

_OUTCOMES = {
    "failed": "found nothing",
    "retried": "did not work, and was tried again later",
    "superseded": "nothing later uses its result; the next step asks the same service again",
}
_SPOKEN = {"true": "yes", "false": "no"}
USUAL_SETTING = "left open: the service's usual setting"
FROM_ASSISTANT = "put forward by the assistant, unknown to the user before"
FROM_CONVERSATION = "came up in the conversation, unknown to the user before"
NO_PREFERENCE = "the user does not mind"


class Detail(msgspec.Struct, frozen=True, omit_defaults=True, rename={"origin": "from"}):
    """One argument in words: what it means, where its value comes from, and the value to be stated.

    `value` is empty if the user does not state the value.
    """

    what: str
    origin: str
    value: str = ""
    about: str = ""


class Service(msgspec.Struct, frozen=True, omit_defaults=True):
    """One API call in words; `step` is its position in the plan."""

    step: int
    service: str
    does: str
    details: tuple[Detail, ...] = ()
    outcome: str = ""


def services_of_plan(path: PathInput) -> tuple[Service, ...]:
    """Return the calls of a plan in words, in order, from step 1."""
    explained: set[tuple[str, str]] = set()
    return tuple(
        Service(
            number,
            _service(call),
            call.description or call.title or title_words(call.api),
            tuple(_explained_once(_detail(argument), explained) for argument in call.arguments),
            _OUTCOMES.get(call.outcome, ""),
        )
        for number, call in enumerate(path.calls, start=1)
    )


def values_named_first(path: PathInput) -> tuple[str, ...]:
    """Return values that the assistant named before the user repeated them in the dialogue."""
    said = f" {plain(' '.join(path.utterances))} "
    return tuple(value.value for value in path.hidden if f" {plain(value.value)} " in said)


def _explained_once(detail: Detail, explained: set[tuple[str, str]]) -> Detail:
    """Return a detail without its description if an earlier call already showed it."""
    key = (detail.what, detail.about)
    if key in explained:
        return msgspec.structs.replace(detail, about="")
    explained.add(key)
    return detail


def _service(call: PlannedCall) -> str:
    """Return the words of a call's app, without the version number at the end."""
    words = title_words(call.app).split()
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    return " ".join(words)


def _detail(argument: PlannedArgument) -> Detail:
    value = argument.value
    what = value.label or title_words(value.name)
    about = "" if _repeats_label(what, value.about) else value.about
    if argument.origin != "user":
        return Detail(what, _origin(argument), about=about)
    if not argument.must_be_stated:
        return Detail(what, NO_PREFERENCE, about=about)
    value_text = value.titles[0] if value.titles else value.value
    return Detail(what, "user", _SPOKEN.get(value_text.strip().casefold(), value_text), about)


def _origin(argument: PlannedArgument) -> str:
    if argument.origin == "result":
        return f"the {argument.output} from step {argument.from_step + 1}"
    return {"default": USUAL_SETTING, "system": FROM_ASSISTANT}.get(
        argument.origin, FROM_CONVERSATION
    )


def _repeats_label(label: str, about: str) -> bool:
    """Whether a description only repeats a label: "name of the hotel" for "hotel name"."""
    return set(plain(about).split()) <= {*label.split(), "the", "of", "a", "an", "for", "to"}
