"""Check that the text names only apps, brands, places and people from its shortcut or plan."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import texts_about
from prompts.language.words import MONTHS, WEEKDAYS, plain, stem, title_words, word_set
from prompts.subject import Subject

_APPS = word_set(
    "spotify netflix whatsapp youtube uber lyft telegram instagram facebook twitter "
    "tiktok slack notion evernote dropbox gmail outlook airbnb expedia steam tripadvisor "
    "yelp opentable hulu deezer tidal soundcloud shazam pinterest reddit snapchat "
    "linkedin venmo paypal skype zoom discord trello todoist onedrive signal wechat viber "
    "tinder duolingo strava fitbit kayak skyscanner doordash grubhub ebay etsy walmart "
    "ikea roku pandora audible kindle twitch alexa waze amazon"
)
_ORDINARY = frozenset(
    {"signal", "steam", "slack", "zoom", "notion", "tidal", "kindle", "audible", "discord"}
)
_APP_PAIRS = re.compile(
    r"\b(apple music|apple maps|google maps|google calendar|google drive|amazon music|prime video|"
    r"epic games|youtube music|disney plus|booking com|microsoft teams)\b"
)
_NATIVE = {"wechat": "\u5fae\u4fe1", "alipay": "\u652f\u4ed8\u5b9d", "weibo": "\u5fae\u535a"}
"""A mapping from English names of Chinese apps to the Chinese names."""
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?:[ -][A-Z][a-z]+)*")
_EVERYDAY = {*MONTHS, *WEEKDAYS} | word_set(
    "english mom dad mum please thanks okay internet wifi bluetooth pdf siri apple iphone ipad mac "
    "google"
)


def examine(subject: Subject) -> Finding:
    """Drops texts with the name of a popular app that is not in the data of the shortcut or plan.

    In an instruction (a request about a plan of API calls) every capitalised name must occur in
    this data.
    """
    texts = texts_about(subject)
    if not any(texts):
        return passing("nothing to compare with")
    said = plain(subject.text)
    apps = [word for word in said.split() if word in _APPS and _is_app(word, subject.text)]
    # Apple's apps go by their own names.
    pairs = (app_pair.removeprefix("apple ") for app_pair in _APP_PAIRS.findall(said))
    apps += [part for pair in pairs for part in pair.split()]
    names = _NAME.findall(subject.text) if subject.kind == "instruction" else []
    if not apps and not names:
        return passing("every name stands in the data")
    target_words = set(title_words(" ".join(texts)).split()) | set(plain(" ".join(texts)).split())
    for app in apps:
        if not any(app in word or _NATIVE.get(app, app) in word for word in target_words):
            return dropped("foreign_app", f"nothing names {app!r}")
    stems: set[str] = set()
    for name in names:
        words = plain(name).split()
        if any(word in _EVERYDAY or word in target_words for word in words):
            continue
        stems = stems or {stem(word) for word in target_words}
        if not any(stem(word) in stems for word in words):
            return dropped("foreign_name", f"nothing names {name!r}")
    return passing("every name stands in the data")


def _is_app(word: str, text: str) -> bool:
    """Whether the text uses an everyday word as the name of an app, as in "on Signal"."""
    if word not in _ORDINARY:
        return True
    name = rf"(?i:{word})\b"
    return re.search(
        rf"\b(?i:on|in|via|with|through|using|open|from) {name}", text
    ) is not None or (re.search(rf"(?<=[a-z,;] ){word.capitalize()}\b", text) is not None)


CHECK = Check(
    name="foreign_names",
    kinds=frozenset({"query", "instruction", "nested", "category"}),
    explains={
        "foreign_app": "The text names an app that the shortcut or plan does not use.",
        "foreign_name": "The text names somebody or something that its source does not name.",
    },
    examine=examine,
)
