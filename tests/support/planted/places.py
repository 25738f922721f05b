"""Places of a shortcut where people leave secrets, each with a function that makes its actions."""

import base64
from collections.abc import Callable
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from tests.support.planted.kinds import Half, SecretKind
from tests.support.samples.redaction import Action, action, dictionary, token_text

SIGN = "\ufffc"


class Slot(NamedTuple):
    """What a place contains: a text with a secret, its service, and the half of the wordings."""

    chance: Random
    text: str
    service: str
    half: Half


_Maker = Callable[[Slot], list[Action]]


class Place(NamedTuple):
    """A place of a shortcut; redaction can recognise only its `forms` of secrets there."""

    name: str
    make: _Maker
    forms: frozenset[str] = frozenset({"prefixed", "generated", "worded"})
    is_split: bool = False


def _wording_maker(**wordings: list[str]) -> Callable[[Slot], str]:
    def make_wording(slot: Slot) -> str:
        wording = slot.chance.choice(wordings[slot.half])
        return wording.replace("SERVICE", slot.service).replace("SECRET", slot.text)

    return make_wording


def _texts(build: Callable[[str], Action], **wordings: list[str]) -> _Maker:
    make_wording = _wording_maker(**wordings)
    return lambda slot: [build(make_wording(slot))]


def _text(text: str, uuid: str = "") -> Action:
    text_action = action("gettext", WFTextActionText=text)
    if uuid:
        text_action["WFWorkflowActionParameters"] |= {"UUID": uuid}  # type: ignore[operator]  # nested JSON
    return text_action


def _header(slot: Slot) -> list[Action]:
    pair = {
        "tuning": ("Authorization", f"Bearer {slot.text}"),
        "held_out": (f"X__{slot.service}__Token", slot.text),
    }[slot.half]
    return [
        action(
            "downloadurl", WFHTTPMethod="GET", ShowHeaders=True,
            WFHTTPHeaders=dictionary(**{pair[0]: pair[1]}, Accept="text/html"),
        )
    ]  # fmt: skip


def _variable(slot: Slot) -> list[Action]:
    variable_name = {
        "tuning": f"{slot.service} token",
        "held_out": f"{slot.service.lower()}ApiKey",
    }[slot.half]
    return [_text(slot.text), action("setvariable", WFVariableName=variable_name)]


def _ask(slot: Slot) -> list[Action]:
    prompt = {"tuning": f"Enter your {slot.service} token", "held_out": f"{slot.service} API key?"}[
        slot.half
    ]
    return [action("ask", WFAskActionPrompt=prompt, WFAskActionDefaultAnswer=slot.text)]


def _json_body(slot: Slot) -> list[Action]:
    if slot.half == "tuning":
        return [_text(f'{{"city": "Porto Alto", "api_key": "{slot.text}"}}')]
    body = dictionary(city="Porto Alto", auth_token=slot.text)
    return [action("downloadurl", WFHTTPMethod="POST", WFHTTPBodyType="JSON", WFJSONValues=body)]


def _condition(slot: Slot) -> list[Action]:
    variable_name = {"tuning": "door code", "held_out": f"{slot.service}Password"}[slot.half]
    variable_input = {"Type": "Variable", "Variable": {"Value": _variable_reference(variable_name)}}
    return [action("conditional", WFControlFlowMode=0, WFCondition=4, GroupingIdentifier="g",
                   WFInput=variable_input, WFConditionalActionString=slot.text)]  # fmt: skip


def _encoded_url(slot: Slot) -> list[Action]:
    parameter_name = {"tuning": "text", "held_out": "note"}[slot.half]
    encoded_value = quote(f"{slot.service} token: {slot.text}", safe="")
    return [
        action(
            "url",
            WFURLActionURL=f"https://api.porto-alto.dev/v1/walk?{parameter_name}={encoded_value}",
        )
    ]


def _list(slot: Slot) -> list[Action]:
    items = {
        "tuning": ["Home", slot.text],
        "held_out": [f"{slot.service} token", slot.text, "Porto Alto"],
    }[slot.half]
    return [action("list", WFItems=[{"WFItemType": 0, "WFValue": token_text(i)} for i in items])]


def _menu(slot: Slot) -> list[Action]:
    if slot.half == "tuning":
        return [action("choosefrommenu", WFControlFlowMode=0, WFMenuPrompt="Pick one",
                       WFMenuItems=["Walk", slot.text], GroupingIdentifier="g")]  # fmt: skip
    return [action("choosefrommenu", WFControlFlowMode=1, WFMenuItemTitle=slot.text,
                   GroupingIdentifier="g")]  # fmt: skip


def _nested_key(slot: Slot) -> list[Action]:
    key = {"tuning": slot.text, "held_out": f"{slot.service} {slot.text}"}[slot.half]
    value = dictionary(**{key: "first"})
    inner = {"Value": value, "WFSerializationType": "WFDictionaryFieldValue"}
    return [action("dictionary", WFItems=dictionary(accounts=inner))]


def _base64(slot: Slot) -> list[Action]:
    inner = {
        "tuning": f"token:{slot.text}",
        "held_out": f'{{"key": "{slot.text}", "for": "{slot.service}"}}',
    }[slot.half]
    encoded_text = base64.b64encode(inner.encode()).decode()
    return [
        _text({"tuning": encoded_text, "held_out": f"echo {encoded_text} | base64 -d"}[slot.half])
    ]


def _reference(uuid: str) -> dict[str, object]:
    return {"OutputUUID": uuid, "Type": "ActionOutput", "OutputName": "Text"}


def _variable_reference(variable_name: str) -> dict[str, object]:
    return {"Type": "Variable", "VariableName": variable_name}


def _uuid(chance: Random) -> str:
    digits = f"{chance.getrandbits(128):032X}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def halves_of(text: str) -> tuple[str, str]:
    """Return two parts of a text, neither of which is recognisable as a secret by its form."""
    middle = max(6, len(text) // 2)
    return text[:middle], text[middle:]


def _split_by_variables(slot: Slot) -> list[Action]:
    first, second = halves_of(slot.text)
    if slot.half == "tuning":
        joined_text = token_text(
            SIGN * 2,
            {"{0, 1}": _variable_reference("One"), "{1, 1}": _variable_reference("Two")},
        )
        return [
            _text(first), action("setvariable", WFVariableName="One"),
            _text(second), action("setvariable", WFVariableName="Two"),
            action("gettext", WFTextActionText=joined_text),
        ]  # fmt: skip
    uuid = _uuid(slot.chance)
    text_range = f"{{{len(first)}, 1}}"
    url = token_text(first + SIGN, {text_range: _reference(uuid)})
    return [_text(second, uuid), action("setvariable", WFVariableName="End"),
            action("url", WFURLActionURL=url)]  # fmt: skip


def _split_by_list(slot: Slot) -> list[Action]:
    first, second = halves_of(slot.text)
    join = action("text.combine", WFTextSeparator="Custom", WFTextCustomSeparator="")
    if slot.half == "tuning":
        return [action("list", WFItems=[first, second]), join]
    variable = {"Value": _variable_reference("Parts"),
                "WFSerializationType": "WFTextTokenAttachment"}  # fmt: skip
    join["WFWorkflowActionParameters"] |= {"text": variable}  # type: ignore[operator]  # nested JSON
    return [
        _text(first), action("appendvariable", WFVariableName="Parts"),
        _text(second), action("appendvariable", WFVariableName="Parts"), join,
    ]  # fmt: skip


def _comment(text: str) -> Action:
    return action("comment", WFCommentActionText=text)


TOKENS = frozenset({"prefixed", "generated"})
PLACES = [
    Place("text", _texts(_text, tuning=["SECRET"], held_out=[" SECRET\n"])),
    Place("prose", _texts(
        _text,
        tuning=["Before you run this, use SECRET to sign in to SERVICE.", "Try SECRET first."],
        held_out=["I got SECRET from them yesterday, it still works.", "Then paste SECRET there."],
    )),
    Place("key_sentence", _texts(
        _text,
        tuning=["Here is the key for SERVICE: SECRET", "Your API key for SERVICE is SECRET."],
        held_out=["The SERVICE token you need: SECRET", "Secret of SERVICE -> SECRET",
                  "API access (SERVICE) SECRET"],
    ), TOKENS),
    Place("comment", _texts(
        _comment,
        tuning=["# SERVICE token: SECRET", "Made in May. SECRET"],
        held_out=["Set it up with this SERVICE credential = SECRET", "v2\nSECRET\nnot for others"],
    )),
    Place("header", _header, TOKENS),
    Place("variable", _variable, TOKENS),
    Place("ask_default", _ask),
    Place("json_body", _json_body),
    Place("condition", _condition),
    Place("encoded_url", _encoded_url, TOKENS),
    Place("list", _list),
    Place("menu", _menu),
    Place("notification", _texts(
        lambda text: action("notification", WFNotificationActionBody=text),
        tuning=["Token: SECRET", "Done with SECRET"],
        held_out=["SERVICE says SECRET", "Used: SECRET."],
    )),
    Place("query", _texts(
        lambda text: action("url", WFURLActionURL=text),
        tuning=["https://api.porto-alto.dev/v1/walk?q=1&api_key=SECRET"],
        held_out=["https://api.porto-alto.dev/v1/walk?auth=SECRET&lang=en"],
    ), TOKENS),
    Place("path", _texts(
        lambda text: action("url", WFURLActionURL=text),
        tuning=["https://api.porto-alto.dev/key/SECRET/walks"],
        held_out=["https://hooks.porto-alto.dev/SECRET"],
    ), TOKENS),
    Place("file_path", _texts(
        lambda text: action("documentpicker.open", WFGetFilePath=text),
        tuning=["Keys/SERVICE/SECRET.txt"],
        held_out=["Shortcuts/SERVICE_SECRET.json"],
    ), TOKENS),
    Place("workflow_name", _texts(
        lambda text: action("runworkflow", WFWorkflowName=text),
        tuning=["Send SECRET", "SECRET"],
        held_out=["SERVICE (SECRET)"],
    )),
    Place("ssh", _texts(
        lambda text: action("runsshscript", WFSSHScript=text),
        tuning=["curl -s -H 'Authorization: Bearer SECRET' https://api.porto-alto.dev/v1"],
        held_out=["export SERVICE_TOKEN=SECRET\nmake walk", "echo 'SECRET' | walk login"],
    )),
    Place("nested_key", _nested_key),
    Place("base64", _base64),
    Place("split_variables", _split_by_variables, TOKENS, is_split=True),
    Place("split_list", _split_by_list, TOKENS, is_split=True),
]  # fmt: skip


class Planted(NamedTuple):
    """A shortcut with one secret; a release must contain none of its `parts`."""

    kind: SecretKind
    place: str
    actions: list[Action]
    parts: tuple[str, ...]


def plant(kind: SecretKind, place: Place, chance: Random) -> Planted:
    """Return a shortcut with a secret of a kind in a place."""
    text, secret = kind.make(chance)
    actions = place.make(Slot(chance, text, kind.service, kind.half))
    if place.name == "base64":
        parameters_text = str(actions[0]["WFWorkflowActionParameters"])
        run = max(parameters_text.replace("'", " ").split(), key=len)
        return Planted(kind, place.name, actions, (run,))
    if place.name == "encoded_url":
        return Planted(kind, place.name, actions, (quote(secret, safe=""),))
    return Planted(kind, place.name, actions, halves_of(text) if place.is_split else (secret,))
