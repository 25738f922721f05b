"""Convert the effects of a shortcut's run to calls of tools, and to instructions of a user."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from benchloom.core.records import ExecutionEffect
from benchloom.core.records.values import Plain
from benchloom.worlds.task import PlannedCall

_PASSING = frozenset({"alert", "notification", "request", "shown", "spoken", "update check"})
"""Kinds of effects that change nothing: reads, and messages of the shortcut while it runs."""
_UNSAID = re.compile(
    # Texts that no user says: a simulated answer, a placeholder, a lost token or letter, JSON,
    # markup, base64, an identifier of an app, a URL of the device, a field without its value, a
    # long token, words in the path of a URL, a file of JSON, pictures between letters, a test.
    r"answer( |%20|_)?[0-9]+|\[redacted:|[\ufffc\ufffd\x00-\x09\x0b-\x1f\x7f]|[{<]\s*[\"/a-z]|"
    r"^\w+:\S*[?&/#=]\w+=(&|$)|example\.com|==$|^(\w+\.){2,}[\w-]+$|"
    r"[,|]\s*([,|]|$)|[:=?]\s*$|^\w+://[^?]*//|/(ID|path|to)/?$|^(?!https?:)[\w-]+:/|\w{40}|"
    r"^https?:[^?#]*%20|\.json$|\w[\u2600-\u27bf\U0001f000-\U0001faff]\w|^test\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"https?://[\w-]+(\.[\w-]+)*\.[a-z]{2,}([:/?#].*)?$", re.IGNORECASE)
_CUT = 200
"""The number of characters to which the table `executions` shortens texts."""
_SHARES = frozenset({"brightness", "volume"})
"""Settings with values from 0 to 1, which a user would state in percent."""
_APPS = {
    "com.apple.Maps": "Maps",
    "com.apple.Music": "Music",
    "com.apple.Preferences": "Settings",
    "com.apple.camera": "Camera",
    "com.apple.iCal": "Calendar",
    "com.apple.mobilecal": "Calendar",
    "com.apple.mobilemail": "Mail",
    "com.apple.mobilenotes": "Notes",
    "com.apple.mobilesafari": "Safari",
    "com.apple.mobileslideshow": "Photos",
    "com.apple.podcasts": "Podcasts",
    "com.apple.reminders": "Reminders",
    "com.apple.shortcuts": "Shortcuts",
    "com.goodnotesapp.x": "GoodNotes",
    "com.spotify.client": "Spotify",
    "com.tencent.xin": "WeChat",
    "org.videolan.vlc-ios": "VLC",
}
"""A mapping from identifiers of apps in shared shortcuts to the names that users say."""
APP_IDENTIFIERS = {name: identifier for identifier, name in _APPS.items()}
_WORD = re.compile(r"[^\W\d_]{2}")
_WORDED = frozenset({"text", "title", "body", "word", "person"})
"""Arguments whose values a user says only if they contain a word."""
_UNSAYABLE = "..."
_REPLACED_BY = {
    "phone.copy_text": (),
    "phone.change_setting": ("name",),
    "phone.save_text_file": ("path",),
    "phone.create_folder": ("path",),
    "phone.open_app": ("app",),
    "phone.open_url": ("url",),
}
"""A mapping from tools to the arguments that identify the state which their calls set.

A later call replaces an earlier call with equal arguments. For example, a text replaces any
earlier text on the clipboard, and a value replaces the value of the setting with the same name.
"""


class Order(NamedTuple):
    """An instruction of a user, with the call of a tool that has the effect of the shortcut."""

    call: PlannedCall
    words: str


class _Kind(NamedTuple):
    """A kind of effects, with the tool that has these effects.

    `arguments` maps details of an effect to arguments of the tool. `words` is the instruction, with
    a placeholder for each argument. `optional` maps each argument that may be missing to a phrase
    with `{}` for its value; the instruction contains this phrase only if there is a value.
    """

    tool: str
    arguments: Mapping[str, str]
    words: str
    optional: Mapping[str, str] = {}


def _same(*names: str) -> Mapping[str, str]:
    return dict(zip(names, names, strict=True))


_KINDS = {
    "added event": _Kind(
        "calendar.create_event",
        _same("title", "start", "end", "location"),
        'add the event "{title}" from {start} to {end}{location}',
        {"location": ' at "{}"'},
    ),
    "added reminder": _Kind(
        "reminders.create_reminder",
        _same("title", "due"),
        'remind me of "{title}"{due}',
        {"due": " on {}"},
    ),
    "call": _Kind("phone.call_person", {"to": "person"}, "call {person}"),
    "clipboard": _Kind("phone.copy_text", _same("text"), 'copy "{text}" to the clipboard'),
    "created alarm": _Kind(
        "alarms.create_alarm",
        _same("time", "label"),
        "set an alarm at {time}{label}",
        {"label": ' labelled "{}"'},
    ),
    "created folder": _Kind("phone.create_folder", _same("path"), 'create the folder "{path}"'),
    "created note": _Kind(
        "notes.create_note",
        _same("title", "text"),
        'make a note titled "{title}" that says "{text}"',
    ),
    "opened URL": _Kind("phone.open_url", _same("url"), "open {url}"),
    "opened app": _Kind("phone.open_app", _same("app"), "open the {app} app"),
    "posted": _Kind(
        "phone.post_text",
        {"items": "text", "service": "service"},
        'post "{text}" on {service}',
    ),
    "saved file": _Kind(
        "phone.save_text_file", _same("path", "text"), 'save "{text}" as the file "{path}"'
    ),
    "showed definition": _Kind("phone.look_up_word", _same("word"), 'look up "{word}"'),
    "shown web page": _Kind("phone.open_url", _same("url"), "open the page {url}"),
}
_SETTING = _Kind("phone.change_setting", _same("name", "value"), "set the {name} to {value}")
_SWITCH = _SETTING._replace(words="turn the {name} {value}")


def orders_of(effects: Sequence[ExecutionEffect]) -> list[Order]:
    """Return an instruction for each effect of a run that changes something, in order.

    Of effects that replace each other, such as two texts on the clipboard, only the last becomes
    an instruction.
    """
    orders = [order for effect in effects for order in _orders(effect)]
    last = {replaced(order.call): order for order in orders}
    return [order for order in orders if last[replaced(order.call)] is order]


def is_sayable(order: Order) -> bool:
    """Whether a user would say all values of an instruction."""
    return bool(order.words) and _UNSAYABLE not in order.words


def replaced(call: PlannedCall) -> tuple[object, ...]:
    """Return a key for the state that a call sets; later calls with this key replace the call."""
    names = _REPLACED_BY.get(call.tool)
    return (id(call),) if names is None else (call.tool, *map(call.arguments.get, names))


def _orders(effect: ExecutionEffect) -> list[Order]:
    details: dict[str, Plain] = msgspec.json.decode(effect.details)
    if effect.kind in _PASSING or "refused" in details:  # the app made no change
        return []
    if effect.kind == "setting":
        settings = [(name, _setting(name, value)) for name, value in details.items()]
        return [
            _order(_SWITCH if value in {"on", "off"} else _SETTING, {"name": name, "value": value})
            for name, value in settings
        ]
    kind = _KINDS.get(effect.kind)
    if kind is None:  # the proof reports the unknown tool
        return [Order(PlannedCall(f"phone.{effect.kind.replace(' ', '_')}", {}), "")]
    arguments = {
        argument: text
        for detail, argument in kind.arguments.items()
        if (text := _text(details, detail))
    }
    if "url" in arguments:
        arguments["url"] = arguments["url"].replace(" ", "%20")
    if "app" in arguments:
        arguments["app"] = _APPS.get(arguments["app"], arguments["app"])
    return [_order(kind, arguments)]


def _order(kind: _Kind, arguments: Mapping[str, str]) -> Order:
    words = {name: "" if name in kind.optional else _UNSAYABLE for name in kind.arguments.values()}
    for name, text in arguments.items():
        words[name] = kind.optional.get(name, "{}").format(_wording(name, text))
    return Order(PlannedCall(kind.tool, arguments), kind.words.format_map(words))


def _wording(name: str, text: str) -> str:
    """Return the value of an argument as a user would say it.

    The result is three dots if a user would not say the value.
    """
    if name in {"due", "start", "end"}:
        moment = datetime.fromisoformat(text)
        return f"{moment.day} {moment:%B %Y} at {moment:%H:%M}"
    is_said = (
        len(text) < _CUT
        and not _UNSAID.search(text)
        and (name not in _WORDED or _WORD.search(text))
        and (name != "url" or _PAGE.match(text))
    )
    return text if is_said else _UNSAYABLE


def _setting(name: str, value: Plain) -> str:
    return f"{round(100 * float(str(value)))}%" if name in _SHARES else str(value)


def _text(details: Mapping[str, Plain], name: str) -> str:
    value = details.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) else ""
