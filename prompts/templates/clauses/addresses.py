"""Where an address inside the device leads: an app, or a page of the settings."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from prompts.inputs.shortcuts import Deed

_SCHEMES_TEXT = """
bear:Bear brave:Brave citymapper:Citymapper comgooglemaps:Google_Maps dayone:Day_One
drafts5:Drafts drafts:Drafts evernote:Evernote fb:Facebook firefox:Firefox
googlechrome:Chrome googlechromes:Chrome googledrive:Google_Drive googlegmail:Gmail
instagram:Instagram maps:Maps music:Music nflx:Netflix omnifocus:OmniFocus opera:Opera
overcast:Overcast podcasts:Podcasts spotify:Spotify textastic:Textastic tg:Telegram things:Things
todoist:Todoist transit:Transit tweetbot:Tweetbot twitter:Twitter ulysses:Ulysses vlc:VLC waze:Waze
whatsapp:WhatsApp working-copy:Working_Copy youtube:YouTube
"""
_APPS = {
    scheme: name.replace("_", " ")
    for scheme, _, name in (entry.partition(":") for entry in _SCHEMES_TEXT.split())
}
"""Apps by the scheme of their addresses, as their makers document them."""
_SETTINGS = {
    "battery_usage": "battery",
    "bluetooth": "Bluetooth",
    "castle": "iCloud",
    "display": "display",
    "do_not_disturb": "focus",
    "general": "general",
    "mobile_data_settings_id": "mobile data",
    "notifications_id": "notification",
    "passwords": "password",
    "phone": "phone",
    "privacy": "privacy",
    "safari": "Safari",
    "sounds": "sound",
    "wallpaper": "wallpaper",
    "wifi": "Wi-Fi",
}
"""Pages of the settings by their name in addresses."""
_PAGE = re.compile(r'"(?:app-)?prefs:root=(\w{2,40})"', re.IGNORECASE)
_INSIDE = re.compile(
    r'"(?!https?:|data:|file:)([a-z][\w+.-]{1,30}):(?=[/a-z])([^"]*)"', re.IGNORECASE
)
_REPLACED = re.compile(
    r'Replace "[^"]{0,20}https?[^"]{0,20}" with "([a-z][\w-]{1,30})(?:://)?" in '
)
_IDENTIFIED = re.compile(r'\bapp identifier: "(?:[\w-]{1,40}\.){1,5}([A-Z][A-Za-z]{3,40})"')
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HOST = re.compile(r"https?://")
_HELD = re.compile(r'^"\[[^\[\]]+\]"')
"""An address that was put together before."""


_ADDRESSED = frozenset({"gettext", "openurl", "showwebpage", "text.replace", "url"})


class Address(NamedTuple):
    """What an address opens by its name, and whether something found before is put into it."""

    name: str
    filled: bool

    @property
    def clause(self) -> str:
        """The wish to open it."""
        return f"open it in {self.name}" if self.filled else f"open {self.name}"


def address_of(line: str) -> Address | None:
    """Where the address in a line leads; None where that is no app that people know by name."""
    page = _PAGE.search(line)
    if page is not None:
        page_name = _SETTINGS.get(page[1].lower())
        return Address(f"the {page_name} settings", filled=False) if page_name else None
    replaced = _REPLACED.search(line)
    if replaced is not None:
        return _app(replaced[1], filled=True)
    inside = _INSIDE.search(line)
    return None if inside is None else _app(inside[1], filled="[" in inside[2])


def _app(scheme: str, *, filled: bool) -> Address | None:
    name = _APPS.get(scheme.lower())
    return None if name is None else Address(name, filled)


def addresses(deeds: Sequence[Deed]) -> dict[int, Address]:
    """The address that each action works on: the last one before it that leads into an app."""
    address_by_action: dict[int, Address] = {}
    last: Address | None = None
    for deed in deeds:
        here = address_of(deed.line) if deed.api in _ADDRESSED else None
        if here is not None:
            last = here
        elif _HOST.search(deed.line) or (deed.api == "url" and not _HELD.search(deed.line)):
            last = None
        if last is not None:
            address_by_action[deed.action_index] = last
    return address_by_action


def app_named(line: str) -> str:
    """The name in the identifier of an app ("com.example.TeaPot" is Tea Pot), empty for others."""
    match = _IDENTIFIED.search(line)
    return " ".join(_PARTS.findall(match[1])) if match else ""
