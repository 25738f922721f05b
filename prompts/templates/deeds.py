"""What an action of a shortcut does, as a clause of a request with its values in place."""

import re

from benchloom.core.records.conditions import CONDITION_WORDS
from prompts.inputs.shortcuts import Deed
from prompts.language.actions import PHRASES
from prompts.language.value_texts.decisions import Decision
from prompts.language.value_texts.shapes import site_of
from prompts.templates.clauses.addresses import app_named
from prompts.templates.clauses.files import file_clause
from prompts.templates.clauses.languages import translation
from prompts.templates.clauses.sums import sum_of
from prompts.templates.sentences import join
from prompts.templates.uses import sends

_TITLED_NOTIFICATION = (
    "send me a notification titled {WFNotificationActionTitle} that says {WFNotificationActionBody}"
)
_CLAUSES: dict[str, tuple[str, ...]] = {
    "addnewevent": ("put {WFCalendarItemTitle} on my calendar",),
    "addnewreminder": (
        "remind me of {WFCalendarItemTitle} in my list {WFCalendarItemCalendar}",
        "remind me of {WFCalendarItemTitle}",
    ),
    "adjustdate": (
        "shift the date by {WFDuration}",
        "shift the date by {WFAdjustOffsetPicker}",
        "shift the date by {unit}",
    ),
    "alert": (
        "show me an alert titled {WFAlertActionTitle} that says {WFAlertActionMessage}",
        "show me an alert that says {WFAlertActionMessage}",
        "show me an alert titled {WFAlertActionTitle}",
    ),
    "ask": ("ask me {WFAskActionPrompt}",),
    "choosefromlist": ("let me pick from the list {WFChooseFromListActionPrompt}",),
    "choosefrommenu": ("let me choose between {WFMenuItems}",),
    "delay": ("wait {WFDelayTime}",),
    "dnd.set": ("set my focus to {FocusModes}",),
    "format.number": ("round the number to {WFNumberFormatDecimalPlaces} decimal places",),
    "getupcomingevents": ("tell me what is on my calendar {WFDateSpecifier}",),
    "gettext": ("use the text {WFTextActionText}",),
    "health.quantity.log": (
        "log {WFQuantitySampleQuantity} of {WFQuantitySampleType} in my health records",
        "log {WFQuantitySampleType} in my health records",
        "log {WFQuantitySampleQuantity} in my health records",
    ),
    "image.convert": ("convert the picture to {WFImageFormat}",),
    "image.crop": ("cut the picture to {WFImageCropWidth} by {WFImageCropHeight}",),
    "image.resize": (
        "resize the picture to {WFImageResizeWidth} by {WFImageResizeHeight}",
        "resize the picture to a width of {WFImageResizeWidth}",
        "resize the picture to a height of {WFImageResizeHeight}",
    ),
    "list": ("use the list of {WFItems}",),
    "makezip": ("pack the files as {WFArchiveFormat}",),
    "math": ("calculate with {WFMathOperand}", "calculate with {WFScientificMathOperand}"),
    "measurement.create": ("take {WFMeasurementUnit}",),
    "notification": (
        _TITLED_NOTIFICATION,
        "send me a notification that says {WFNotificationActionBody}",
        "send me a notification titled {WFNotificationActionTitle}",
    ),
    "number": ("use the number {WFNumberActionNumber}",),
    "number.random": (
        "pick a random number between {WFRandomNumberMinimum} and {WFRandomNumberMaximum}",
        "pick a random number up to {WFRandomNumberMaximum}",
        "pick a random number from {WFRandomNumberMinimum} on",
    ),
    "openapp": ("open {WFSelectedApp}",),
    "openin": ("open it in {WFSelectedApp}",),
    "openurl": ("open {WFInput}",),
    "repeat.count": ("do it {WFRepeatCount} times",),
    "savetocameraroll": ("save it to my album {WFCameraRollSelectedGroup}",),
    "searchappstore": ("search the App Store for {WFSearchTerm}",),
    "sendmessage": ("send a message that says {WFSendMessageContent}",),
    "setbrightness": ("set the brightness to {WFBrightness}",),
    "setvolume": ("set the volume to {WFVolume}",),
    "showresult": ("show me {Text}",),
    "speaktext": ("say {WFText} out loud",),
    "text.translate": (
        "translate the text from {WFSelectedFromLanguage} into {WFSelectedLanguage}",
        "translate the text into {WFSelectedLanguage}",
    ),
    "timer.start": ("start a timer for {WFDuration}",),
    "url": ("use the page {WFURLActionURL}",),
    "weather.forecast": ("tell me the {WFWeatherForecastType} forecast",),
}
"""Clauses by API, the one with most values first; a clause fits when all its values are there."""
_OPTIONAL = frozenset({"WFAskActionPrompt", "WFChooseFromListActionPrompt", "WFMenuItems"})
"""Values that a clause may tell although they need not be said."""
_ON_A_SITE = {
    "downloadurl": "fetch the information from {site}",
    "getarticle": "take the article from {site}",
    "getwebpagecontents": "read the web page on {site}",
    "openurl": "open the page on {site}",
    "rss": "fetch the latest entries of the feed on {site}",
    "showwebpage": "show me the page on {site}",
    "url.getheaders": "check the web address on {site}",
}
HOST = re.compile(
    r"https?://(?:www\.)?((?:[a-zA-Z0-9-]{1,40}\.){1,4}[a-zA-Z]{2,12})(?=[/?#:\"\s]|$)"
)
SCHEME = re.compile(r"\b(?!https?:)[a-zA-Z][\w+.-]{1,30}:(?://|[a-z]+:)")
"""An address inside an app."""
_SENT = re.compile(r'\b(?:json|form) values: \{"')
_MENU = re.compile(r'Menu ("[^"\\\[\]]{3,60}") ')
_CHOICES = re.compile(r'\[("[^"\[\]{}]{2,40}"(?:, "[^"\[\]{}]{2,40}"){1,3})\]')
_QUESTION = re.compile(r'(?:question to ask|prompt): "[^"]')
_KEPT_FILE = re.compile(r'\bpath: "')
_STATE = re.compile(r"Is (\w+) is")
_STATES = frozenset({"OnValue", "Enabled", "state", "WFFlashlightSetting"})
_SWITCHES = {
    "airplanemode.set": "airplane mode",
    "bluetooth.set": "Bluetooth",
    "cellulardata.set": "mobile data",
    "flashlight": "the flashlight",
    "lowpowermode.set": "low power mode",
    "wifi.set": "the Wi-Fi",
}
_SLOT = re.compile(r"\{(\w+)\}")
_TOKEN = re.compile(
    r"\[(?:output|variable|result(?: of line \d+)?): ([^\[\].()]+?)(?:[.(][^\]]*)?\]"
)
_REST = re.compile(r"\s*(\{.*\})?\s*(-> .*)?$")
_TWO_WORDS = re.compile(r"([A-Z][a-z]+) ([A-Z][a-z]*[a-rt-z])")
_SENTENCE = re.compile(r"[A-Z][a-z]+( [\w'\"-]+){1,12}")
MOST_CHOICES = 4
_VAGUE = re.compile(
    r"(let me know how it turns out|ask me for what you need|copy the result|"
    r"open the (app I need|page|other app)|"
    r"show me (the result|a message|a preview|the page)|let me pick from a list|"
    r"send me a notification|do the (calculation|sum)|use the current date|share the result|"
    r"open it in the app I use for that|use the text|do it \d+ times|wait .*|save the file|"
    r"open a file I choose|take what I have copied|do the calculation with .*|"
    r"add \S+ to the number|subtract \S+ from the number|(multiply|divide) the number by \S+|"
    r"use the (text|number|list of) .*|"
    r"read it out loud|pick the right one|go through a list|read the data|count the results|"
    r"fetch the information from the web|change something on the web page|replace some text|"
    r"run the (command|script)( on my (computer|server))?|(put|split) the text( together)?|"
    r"find the (matching text|right (articles|files|pictures))|read the web page|make a folder|"
    r"append it to a file|write it to a file|encode it|change the case of the text|"
    r"take what I share with you|open my saved file|"
    r"show me what comes out|ask me .*|let me choose between .*|save (them as|it to a) files?)"
)
_VERBS = tuple(sorted(CONDITION_WORDS.values(), key=len, reverse=True))
_LOWER = frozenset({"WFDateSpecifier", "WFWeatherForecastType", "WFQuantitySampleType"})


def clause_of(deed: Deed, decisions: list[Decision], site: str = "") -> tuple[str, set[str]] | None:
    """The clause, and the values it states; None where nothing can be told of the action.

    `decisions` are those about the action, `site` where the address it works on leads. Every
    value that has to be said is in the clause.
    """
    demanded = [entry for entry in decisions if entry.say == "say"]
    if deed.api.startswith("filter."):
        return _filtered(deed, decisions)
    if deed.api == "selectphoto" and "select multiple: true" in deed.line:
        return _whole("let me choose some photos", demanded, set())
    menu_match = _MENU.match(deed.line)
    choices = _CHOICES.search(deed.line) if deed.api == "choosefrommenu" else None
    if choices is not None:
        names = [f'"{name.strip()}"' for name in choices[1].strip('"').split('", "')]
        return f"let me choose between {join(names)}", {name.strip('"') for name in names}
    if menu_match is not None:
        return _whole(f"ask me {menu_match[1]}", [e for e in decisions if e.say == "say"], set())
    own = file_clause(deed.api, deed.line) or sum_of(deed)
    if not own and deed.api == "text.translate" and not demanded:
        own = translation(deed.line)
    if own:
        return _whole(own, demanded, set())
    if deed.api == "documentpicker.open" and _KEPT_FILE.search(deed.line):
        return "open my saved file", set()
    if deed.api in _SWITCHES:
        return _switched(deed, decisions)
    values = _values(decisions)
    for pattern in _CLAUSES.get(deed.api, ()):
        slots = _SLOT.findall(pattern)
        if all(slot in values for slot in slots):
            stated_values = {entry.value for entry in demanded if entry.parameter in slots}
            return _whole(pattern.format(**values), demanded, stated_values)
    if site and deed.api in _ON_A_SITE:
        sent = deed.api == "downloadurl" and _SENT.search(deed.line)
        if sends(deed) and not sent:
            return None
        clause = f"send it to {site}" if sent else _ON_A_SITE[deed.api].format(site=site)
        return _whole(clause, demanded, {entry.value for entry in demanded if site in entry.value})
    if deed.api == "ask" and _QUESTION.search(deed.line):
        return None  # a question that is none for a sentence
    app = app_named(deed.line) if deed.api == "openapp" else ""
    phrase = f"open {app}" if app else PHRASES.get(deed.api) or _summary(deed)
    if not phrase:
        return None
    stated_values = {
        entry.value for entry in demanded if entry.value in phrase and len(entry.value) > 1
    }
    return _whole(phrase, demanded, stated_values)


def is_vague(clause: str) -> bool:
    """Whether a clause alone tells nobody what is wanted: "show me the result"."""
    return _VAGUE.fullmatch(clause) is not None


def _values(decisions: list[Decision]) -> dict[str, str]:
    """Values by parameter in the words of a sentence; lists joined, long menus left out."""
    entries_by_parameter: dict[str, list[Decision]] = {}
    for entry in decisions:
        if entry.say == "say" or (entry.parameter in _OPTIONAL and entry.say == "may_say"):
            entries_by_parameter.setdefault(entry.parameter, []).append(entry)
    return {
        name: join([said(entry) for entry in entries])
        for name, entries in entries_by_parameter.items()
        if name not in _OPTIONAL
        or (
            (len(entries) <= MOST_CHOICES and _plain(entries))
            and (name != "WFChooseFromListActionPrompt" or _is_title(entries))
        )
    }


def _is_title(entries: list[Decision]) -> bool:
    """Whether a list goes by more than the name of what it is for: "Which tea?", not "Teas"."""
    value = entries[0].value.strip()
    return len(value.split()) > 1 or value[-1:] in "?\uff1f" or not value.isascii()


def _plain(entries: list[Decision]) -> bool:
    shorter = all(len(entry.value) <= 50 for entry in entries)
    return shorter and not any(entry.reason in {"long_text", "empty"} for entry in entries)


def said(decision: Decision) -> str:
    """A value inside a sentence: numbers and choices bare, texts as quotations."""
    if site := site_of(decision.value):
        return site
    words = decision.titles[0] if decision.titles else " ".join(decision.value.split())
    if decision.parameter in _LOWER:
        words = words.lower()
    bare = decision.reason in {"number", "quantity", "chosen", "app", "site", "trivial_number"}
    if bare or _is_number(words):
        return words
    return f'"{words}"' if '"' not in words else f"\u201c{words}\u201d"


def _is_number(words: str) -> bool:
    return words.replace(".", "", 1).removeprefix("-").isdigit()


def _filtered(deed: Deed, decisions: list[Decision]) -> tuple[str, set[str]] | None:
    """`find the photos where the media type is "Video"`; None where a filter cannot be told."""
    things = deed.api.removeprefix("filter.")
    things = {"calendarevents": "events", "images": "pictures"}.get(things, things)
    rows = [entry for entry in decisions if entry.reason == "filter"]
    clauses: list[str] = []
    for entry in rows:
        state = _STATE.fullmatch(entry.label)
        if state is not None and entry.value in {"true", "false"}:
            clauses.append(f"that are {'' if entry.value == 'true' else 'not '}{state[1].lower()}")
        elif entry.label.isascii() and entry.label.endswith(_VERBS):
            clauses.append(f"whose {entry.label[:1].lower()}{entry.label[1:]} {_operand(entry)}")
        else:
            return None
    if not rows:
        is_unfiltered = not decisions and "filter:" not in deed.line
        return (PHRASES[deed.api], set()) if is_unfiltered and deed.api in PHRASES else None
    wish = f"find the {things} {' and '.join(clauses)}"
    demanded = [entry for entry in decisions if entry.say == "say"]
    return _whole(wish, demanded, {entry.value for entry in rows})


def _switched(deed: Deed, decisions: list[Decision]) -> tuple[str, set[str]] | None:
    """`turn on the flashlight`; what a switch does by default is turning on."""
    states = [entry.value.lower() for entry in decisions if entry.parameter in _STATES]
    state = states[0] if states else "true"
    verb = {"true": "turn on", "on": "turn on", "1": "turn on", "toggle": "switch"}.get(
        state, "turn off" if state in {"false", "off", "0"} else ""
    )
    demanded = [entry for entry in decisions if entry.say == "say"]
    return _whole(f"{verb} {_SWITCHES[deed.api]}", demanded, set()) if verb else None


def _operand(entry: Decision) -> str:
    if entry.titles:
        return entry.titles[0]
    return entry.value if _is_number(entry.value) else f'"{entry.value}"'


def _whole(
    clause: str, demanded: list[Decision], stated_values: set[str]
) -> tuple[str, set[str]] | None:
    """The clause, None where it leaves out a value that has to be said."""
    return (
        (clause, stated_values) if all(entry.value in stated_values for entry in demanded) else None
    )


def _the(match: re.Match[str]) -> str:
    """An output by its name; one that goes by the name of its API is just the result."""
    name = match[1].strip()
    named = " " in name or not name.islower()
    return f"the {name.lower()}" if named and name.replace(" ", "").isalpha() else "the result"


def _summary(deed: Deed) -> str:
    """The filled summary of the action as a clause, empty where it is none.

    Outputs and variables go by "the" and their names; lines that are calls are no summaries.
    """
    line = _REST.sub("", deed.line.strip())
    line = _TOKEN.sub(_the, line)
    if any(sign in line for sign in '["') or not _SENTENCE.fullmatch(line.replace(",", "")):
        return ""
    bare = _TWO_WORDS.fullmatch(line)
    if bare is not None:
        article = "an" if bare[2][:1] in "AEIO" else "a"
        return f"{bare[1].lower()} {article} {bare[2].lower()}"
    return f"{line[:1].lower()}{line[1:]}"
