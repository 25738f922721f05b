"""Convert items to dates, URLs, contacts, addresses and files, or to a type by its name.

Rules that Apple does not document are marked as guesses.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from benchloom.device.items import (
    AppItem,
    Contact,
    Content,
    File,
    Item,
    Location,
    MadeAnswer,
    RichText,
    Url,
    text_file,
)
from benchloom.device.items.coercion import (
    answer_text,
    dictionary_of,
    from_json,
    html_of,
    made_address,
    number_of,
    text_of,
    to_json,
    truth_of,
)
from benchloom.device.items.moments import read_dates

URL_PATTERN = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{1,30}://[^\s<>\"')\]]+|mailto:[^\s<>\"']+|www\.[^\s<>\"')\]]+)"
    r"|\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.(?:com|org|net|io|de|co|app|dev|me|gov|edu)"
    r"\b(?:/[^\s<>\"')\]]*)?",
    re.IGNORECASE,
)


def dates_of(item: Item, now: datetime) -> list[datetime]:
    """Return the date of a date item, or the dates in the text of any other item."""
    if isinstance(item, datetime):
        return [item]
    if isinstance(item, MadeAnswer):
        return [now]
    if isinstance(item, bool | int | float) or item is None:
        return []
    return read_dates(text_of(item), now)


def urls_of(item: Item) -> list[Url]:
    """Return the URL of a URL item, or the URLs in the text of any other item."""
    if isinstance(item, Url):
        return [item]
    if isinstance(item, MadeAnswer):
        return [Url(made_address(item))]
    if isinstance(item, bool | int | float | datetime) or item is None:
        return []
    text = item.html if isinstance(item, RichText) else text_of(item)
    matches = (match[0].rstrip(".,;:!?") for match in URL_PATTERN.finditer(text[:1_000_000]))
    return [
        Url(address if ":" in address.split("/")[0] else f"http://{address}") for address in matches
    ]


def contacts_of(item: Item) -> list[Contact]:
    """Return a contact unchanged, or the contacts in the vCards of any other item's text."""
    if isinstance(item, Contact):
        return [item]
    if isinstance(item, MadeAnswer):
        return [Contact(answer_text(item))]
    text = text_of(item) if isinstance(item, str | File) else ""
    cards: list[Contact] = []
    fields: dict[str, list[str]] | None = None
    for line in text.replace("\r\n", "\n").replace("\n ", "").split("\n"):
        head, _, value = line.partition(":")
        name = head.partition(";")[0].strip().upper().rpartition(".")[2]
        if name == "BEGIN":
            fields = {}
        elif name == "END" and fields is not None:
            cards.append(_card(fields))
            fields = None
        elif fields is not None:
            fields.setdefault(name, []).append(
                value.strip().replace("\\n", "\n").replace("\\,", ",")
            )
    return cards


def _card(fields: dict[str, list[str]]) -> Contact:
    def first(name: str) -> str:
        return fields.get(name, [""])[0]

    parts = first("N").split(";")
    name = first("FN") or " ".join(part for part in (*parts[1:2], *parts[:1]) if part)
    return Contact(
        name or first("ORG"),
        tuple(fields.get("TEL", ())),
        tuple(fields.get("EMAIL", ())),
        first("ORG").rstrip(";"),
        first("NOTE"),
        first("BDAY"),
    )


def coerced(content: Content, type_name: str, now: datetime) -> Content | None:
    """Convert content to a type; return None if the type is unknown.

    `type_name` is the app's name, like WFDictionaryContentItem. Items that cannot be converted are
    left out (not checked on a device).
    """
    name = type_name.removeprefix("WF").removesuffix("ContentItem")
    if name == "Date":
        return tuple(date for item in content for date in dates_of(item, now))
    reader = _READERS.get(name)
    return None if reader is None else tuple(part for item in content for part in reader(item))


_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b")
_PHONE = re.compile(r"(?<![\w.])\+?\d[\d ()/.-]{5,18}\d(?![\w.])", re.ASCII)


def emails_in(item: Item) -> list[str]:
    """Return the email addresses in an item."""
    if isinstance(item, Contact):
        return list(item.emails)
    return [match[0] for match in _EMAIL.finditer(text_of(item)[:1_000_000])]


def phones_in(item: Item) -> list[str]:
    """Return the telephone numbers in an item."""
    if isinstance(item, Contact):
        return list(item.phones)
    return [match[0] for match in _PHONE.finditer(text_of(item)[:1_000_000])]


def file_of(item: Item) -> File:
    """Return an item as a file, with the extension of its type."""
    if isinstance(item, File):
        return item
    if isinstance(item, MadeAnswer):
        return answer_file(item)
    if isinstance(item, dict):
        return text_file("Dictionary.json", to_json(item))
    if isinstance(item, RichText):
        return text_file("Rich Text.rtf", item.html, "public.rtf")
    if isinstance(item, Contact):
        return text_file(f"{item.name}.vcf", card_text(item))
    if isinstance(item, Url):
        return text_file("Web Page.webloc", item.address, "com.apple.web-internet-location")
    return text_file("Text.txt", text_of(item))


def files_in(content: Content) -> list[File]:
    """Return the files in content; a simulated answer becomes an image."""
    files = [answer_file(item) if isinstance(item, MadeAnswer) else item for item in content]
    return [file for file in files if isinstance(file, File)]


def place_of(item: Item) -> Location:
    """Convert an item to a location, whose name and street are the text of the item.

    An item that is a location is returned unchanged.
    """
    if isinstance(item, Location):
        return item
    text = text_of(item)
    return Location(text, street=text)


def answer_file(item: MadeAnswer) -> File:
    """Return a simulated answer as an image."""
    name = answer_text(item)
    return File(f"{name}.png", "public.png", None, name, width=1200, height=800)


def card_text(contact: Contact) -> str:
    """Return a contact as a vCard."""
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"FN:{contact.name}"]
    lines += [f"TEL:{phone}" for phone in contact.phones]
    lines += [f"EMAIL:{email}" for email in contact.emails]
    lines += [
        f"{name}:{value}"
        for name, value in (("ORG", contact.company), ("NOTE", contact.note))
        if value
    ]
    return "\n".join([*lines, "END:VCARD"])


def _texts_of(item: Item) -> Sequence[Item]:
    return [item if isinstance(item, MadeAnswer) else text_of(item)]  # a later step sets its type


def _dictionaries_of(item: Item) -> Sequence[Item]:
    dictionary = item if isinstance(item, MadeAnswer) else dictionary_of(item)
    if dictionary is None and isinstance(item, str | File):
        parsed = from_json(text_of(item))
        return parsed if isinstance(parsed, list) else []
    return [] if dictionary is None else [dictionary]


def _app_items_of(item: Item) -> Sequence[Item]:
    return [item] if isinstance(item, AppItem | MadeAnswer) else []


Reader: TypeAlias = Callable[[Item], Sequence[Item]]
_READERS: dict[str, Reader] = {
    "String": _texts_of,
    "Number": lambda item: [] if (number := number_of(item)) is None else [number],
    "Boolean": lambda item: [truth_of(item)],
    "Dictionary": _dictionaries_of,
    "Array": lambda item: [item],
    **dict.fromkeys(("URL", "SafariWebPage", "Article", "DCMapsLink"), urls_of),
    "RichText": lambda item: [item if isinstance(item, RichText) else RichText(html_of(item))],
    "Contact": contacts_of,
    "PhoneNumber": phones_in,
    "EmailAddress": emails_in,
    **dict.fromkeys(("Image", "PhotoMedia", "AVAsset", "PDF"), lambda item: files_in((item,))),
    "GenericFile": lambda item: [file_of(item)],
    **dict.fromkeys(("Location", "StreetAddress", "Address"), lambda item: [place_of(item)]),
    **dict.fromkeys(
        ("MPMedia", "iTunesProduct", "AppStoreApp", "CalendarEvent", "Reminder", "Workflow"),
        _app_items_of,
    ),
}
"""A mapping from types to functions that convert items; `URL` is the app's WFURLContentItem."""
