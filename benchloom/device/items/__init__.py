"""Define content, the list of items that each step of a shortcut passes to the next step.

An item is a Python value (a text, number, boolean, list or dictionary, or a date with a zone) or an
instance of a class of this module. "Nothing" is content without items.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import TypeAlias

import msgspec

from benchloom.device.errors import MAX_VALUE


class Url(msgspec.Struct, frozen=True):
    """A URL as an item of content."""

    address: str


class RichText(msgspec.Struct, frozen=True):
    """Formatted text; `html` is its HTML."""

    html: str


class File(msgspec.Struct, frozen=True):
    """A file or an image; `text` is None if the device knows only a digest of its bytes.

    `kind` is the uniform type identifier, like public.plain-text. Images have a `width` and
    `height`.
    """

    name: str
    kind: str = "public.plain-text"
    text: str | None = None
    digest: str = ""
    width: int = 0
    height: int = 0

    @property
    def is_image(self) -> bool:
        """Whether the file is an image."""
        return self.kind in IMAGE_KINDS


class Contact(msgspec.Struct, frozen=True):
    """A contact of the address book, as an item of content."""

    name: str
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    company: str = ""
    note: str = ""
    birthday: str = ""


class Location(msgspec.Struct, frozen=True):
    """A location on earth, with its coordinates or its address or both."""

    name: str = ""
    latitude: float = 0.0
    longitude: float = 0.0
    street: str = ""
    city: str = ""
    state: str = ""
    postal_code: str = ""
    country: str = ""


class AppItem(msgspec.Struct, frozen=True):
    """An item of an app, such as an event, a reminder, a song or an app of the store.

    `kind` is one word (event, reminder, note, shortcut). The keys of `properties` are the names
    that the app shows. `row_id` is the key of the item's row in the simulated everyday apps, or "".
    """

    kind: str
    name: str
    properties: "dict[str, Item]" = {}
    row_id: str = ""


MADE_NUMBER = 3


class MadeAnswer(msgspec.Struct, frozen=True):
    """A simulated answer, which later steps can read as any type.

    `path` begins with the text of the answer. The keys and positions by which later steps read
    parts of the answer follow. `number` is the value if the answer is read as a number.
    """

    path: tuple[str, ...]
    number: int | float = MADE_NUMBER

    def part(self, *names: str) -> "MadeAnswer":
        """Return the part of a simulated answer that is at a key or position."""
        number = self.number
        if number != MADE_NUMBER:  # parts of a drawn answer get different numbers
            number += sum("/".join(names).encode()) % 7 + 1
        return MadeAnswer((*self.path, *names), number)


Item: TypeAlias = (
    "str | bool | int | float | datetime | Url | RichText | File | Contact | Location | AppItem"
    " | MadeAnswer | dict[str, Item] | list[Item] | None"
)
Dictionary: TypeAlias = dict[str, "Item"]
Content: TypeAlias = tuple["Item", ...]
NOTHING: Content = ()

IMAGE_KINDS = frozenset(
    {
        *("public.image", "public.png", "public.jpeg", "public.heic", "public.tiff"),
        *("com.compuserve.gif", "com.microsoft.bmp", "public.camera-raw-image"),
    }
)
KINDS_BY_ENDING = {
    "txt": "public.plain-text",
    "json": "public.json",
    "html": "public.html",
    "htm": "public.html",
    "csv": "public.comma-separated-values-text",
    "xml": "public.xml",
    "vcf": "public.vcard",
    "md": "net.daringfireball.markdown",
    "rtf": "public.rtf",
    "png": "public.png",
    "jpg": "public.jpeg",
    "jpeg": "public.jpeg",
    "heic": "public.heic",
    "gif": "com.compuserve.gif",
    "tiff": "public.tiff",
    "pdf": "com.adobe.pdf",
    "mp3": "public.mp3",
    "m4a": "com.apple.m4a-audio",
    "wav": "com.microsoft.waveform-audio",
    "mp4": "public.mpeg-4",
    "mov": "com.apple.quicktime-movie",
    "zip": "public.zip-archive",
    "plist": "com.apple.property-list",
    "shortcut": "com.apple.shortcut",
    "py": "public.script",
}
"""A mapping from file extensions to uniform type identifiers."""
_ENDINGS = {kind: ending for ending, kind in reversed(KINDS_BY_ENDING.items())}


def kind_of_name(name: str, otherwise: str = "public.data") -> str:
    """Return the uniform type identifier for a file name, or `otherwise` if none is known."""
    return KINDS_BY_ENDING.get(name.rpartition(".")[2].lower(), otherwise)


def ending_of_kind(kind: str) -> str:
    """Return the usual file extension of a uniform type identifier, or "" if none is known."""
    return _ENDINGS.get(kind, "")


def spread(item: Item) -> Content:
    """Return an item as content: the entries of a list, no items for None, else the item."""
    if isinstance(item, list):
        return tuple(item)
    return NOTHING if item is None else (item,)


def as_one_item(content: Content) -> Item:
    """Return the only item of content, a list of several items, or None without items."""
    if len(content) == 1:
        return content[0]
    return list(content) if content else None


def digest_of_text(text: str) -> str:
    """Return the digest of a text, written in the same form as digests of files."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def text_file(name: str, text: str, kind: str = "") -> File:
    """Return a file with a text; by default the extension of the name determines the type."""
    return File(name, kind or kind_of_name(name, "public.plain-text"), text, digest_of_text(text))


def derived(
    file: File, operation: str, name: str = "", kind: str = "", **arguments: object
) -> File:
    """Return the result of a named operation on a file; equal operations give equal digests."""
    source = json.dumps([file.digest, operation, arguments], sort_keys=True, default=str)
    return File(
        name or file.name,
        kind or file.kind,
        None,
        digest_of_text(source),
        width=file.width,
        height=file.height,
    )


def pruned(item: Item, most: int) -> Item:
    """Return a copy of an item that is limited to its first `most` nested entries."""
    remaining = most

    def first(node: Item) -> Item:
        nonlocal remaining
        remaining -= 1
        if isinstance(node, dict):
            return {key: first(value) for key, value in node.items() if remaining > 0}
        if isinstance(node, list):
            return [first(value) for value in node if remaining > 0]
        return node

    return first(item)


ITEM = 8
"""The number of characters that need as much memory and time as an item."""


def size_of(content: Content) -> int:
    """Return the size of content, which is its number of characters plus 8 for each item.

    Counting stops once the size is above `MAX_VALUE`.
    """
    size = 0
    for entry in content:
        if type(entry) is str:
            size += len(entry) + ITEM
        elif isinstance(entry, dict | list | RichText | File | Url | AppItem):
            for leaf in _leaves(entry):
                size += leaf
                if size > MAX_VALUE:
                    return size
        else:
            size += ITEM
    return size


def _leaves(item: Item) -> Iterator[int]:
    waiting: list[Item] = [item]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield sum(map(len, node)) + ITEM * len(node)
            waiting.extend(node.values())
        elif isinstance(node, list):
            yield ITEM * len(node)
            waiting.extend(node)
        elif isinstance(node, AppItem):
            waiting.extend(node.properties.values())
        elif isinstance(node, File):
            yield len(node.text or "") + 1
        elif isinstance(node, str):
            yield len(node) + 1
        elif isinstance(node, RichText):
            yield len(node.html)
        elif isinstance(node, Url):
            yield len(node.address)
        else:
            yield 1


def plain(item: Item) -> object:
    """Return an item as JSON, from which `answers.from_plain` can restore it."""
    if isinstance(item, dict):
        return {key: plain(value) for key, value in item.items()}
    if isinstance(item, list | tuple):
        return [plain(entry) for entry in item]
    if isinstance(item, datetime):
        return {"$date": item.isoformat()}
    if isinstance(item, Url):
        return {"$url": item.address}
    if isinstance(item, RichText):
        return {"$html": item.html}
    if isinstance(item, MadeAnswer):
        return {"$made": "/".join(item.path)}
    if isinstance(item, AppItem):
        properties = {key: plain(value) for key, value in item.properties.items()}
        thing = {"kind": item.kind, "name": item.name, "properties": properties}
        return {"$thing": {**thing, "row_id": item.row_id} if item.row_id else thing}
    if isinstance(item, File | Contact | Location):
        fields = {
            key: plain(value)
            for key, value in msgspec.structs.asdict(item).items()
            if value not in ("", (), 0, 0.0, None)
        }
        return {f"${type(item).__name__.lower()}": fields}
    return item
