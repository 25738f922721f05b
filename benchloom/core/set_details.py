"""The details of a dataset that its owner states, such as name, title, licence and authors.

The manifest of a release stores these values, and every document that shows one takes it from
there.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec

UNNAMED = "benchloom"
"""The name of a dataset whose configuration contains no name."""
DEFAULT_LICENCE = "Apache-2.0"
"""The licence of data and texts that benchloom makes, unless the owner sets another licence."""
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,94}[a-z0-9])?")
_AUTHOR = re.compile(r"(?P<name>[^<>@]*[^<>@\s])(?:\s*<(?P<mail>[^<>@\s]+@[^<>@\s]+\.[^<>@\s]+)>)?")
_ADDRESS = re.compile(r"https?://[^\s<>\"\\`{}|^]+", re.IGNORECASE)
_MAX_AUTHORS = 200
_MAX_LETTERS = {"title": 120, "licence": 200, "homepage": 500, "description": 2000}
_MAX_AUTHOR = 200
_LICENCES = (
    *("AGPL-3.0-only", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-2.0", "CC-BY-3.0"),
    *("CC-BY-4.0", "CC-BY-NC-3.0", "CC-BY-NC-4.0", "CC-BY-NC-ND-4.0", "CC-BY-NC-SA-4.0"),
    *("CC-BY-ND-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC0-1.0", "CDLA-Permissive-1.0"),
    *("CDLA-Permissive-2.0", "CDLA-Sharing-1.0", "EUPL-1.2", "GPL-2.0-only", "GPL-3.0-only", "ISC"),
    *("LGPL-3.0-only", "MIT", "MPL-2.0", "Unlicense"),
)
_HUB_LICENCES = {
    **{spdx: spdx.lower().removesuffix("-only") for spdx in _LICENCES},
    "ODC-By-1.0": "odc-by",
    "ODbL-1.0": "odbl",
    "PDDL-1.0": "pddl",
}
"""Maps the SPDX id of a licence to its name on the Hugging Face Hub."""
_SPDX = {spdx.lower(): spdx for spdx in _HUB_LICENCES}


class Author(msgspec.Struct, frozen=True):
    """A person or group. The address `mail` is published only in `CITATION.cff`."""

    name: str
    mail: str | None = None


class SetDetails(msgspec.Struct, frozen=True, kw_only=True):
    """The section `[release]` of a configuration. An empty text is a missing value.

    `licence` is an SPDX id or free text. An author is `Name` or `Name <mail>`.
    """

    name: str = ""
    title: str = ""
    licence: str = ""
    authors: tuple[str, ...] = ()
    homepage: str = ""
    description: str = ""

    @property
    def heading(self) -> str:
        """The title of the dataset, or its name if it has no title."""
        return self.title or self.name or UNNAMED

    @property
    def people(self) -> tuple[Author, ...]:
        """The authors, with their mail addresses if the configuration contains them."""
        matches = (_AUTHOR.fullmatch(author.strip()) for author in self.authors)
        return tuple(Author(match["name"], match["mail"]) for match in matches if match)

    @property
    def spdx(self) -> str | None:
        """The SPDX id of the licence, or None if it is missing or free text."""
        return _SPDX.get(self.licence.lower())

    def owned(self, text: str) -> str:
        """Replace the default licence in a text by the licence of this dataset."""
        licence = self.spdx or (f"“{self.licence}”" if self.licence else DEFAULT_LICENCE)
        return text.replace(DEFAULT_LICENCE, licence)

    @property
    def hub_licence(self) -> str | None:
        """The name of the licence on the Hugging Face Hub, or None if it has no name there."""
        return _HUB_LICENCES[self.spdx] if self.spdx else None


NO_DETAILS = SetDetails()


def details_faults(details: SetDetails) -> Iterator[str]:
    """Yield a message for each invalid value in the details of a dataset, such as its title."""
    for key in ("name", "title", "licence", "homepage", "description"):
        value: str = getattr(details, key)
        if value and (fault := value_fault(key, value)):
            yield f"{key}: {fault}"
    if len(details.authors) > _MAX_AUTHORS:
        yield f"authors: lists more than {_MAX_AUTHORS} authors"
    for author in details.authors[:_MAX_AUTHORS]:
        if fault := author_fault(author):
            yield f"authors: {fault}"


def value_fault(key: str, value: str) -> str | None:
    """Return why a text is not a valid value of this key of `[release]`, or None if it is valid."""
    if not value.isprintable() or not value.strip():
        return "must be one line of printable characters"
    if len(value) > _MAX_LETTERS.get(key, len(value)):
        return f"has more than {_MAX_LETTERS[key]} characters"
    if key == "name" and not _NAME.fullmatch(value):
        return f"{value!r} is not a valid name; use a to z, 0 to 9, '.', '_' and '-'"
    if key == "homepage" and not _is_web_address(value):
        return f"{value!r} is not a URL; write one like https://example.org/set"
    return None


def author_fault(author: str) -> str | None:
    """Return why a text is not a valid author, or None if it is valid."""
    if not author.isprintable() or len(author) > _MAX_AUTHOR:
        return f"must be one line of at most {_MAX_AUTHOR} characters"
    if _AUTHOR.fullmatch(author.strip()) is None:
        return "write 'Name', or 'Name <mail>' to publish the mail address too"
    return None


def _is_web_address(text: str) -> bool:
    try:
        address = urlsplit(text)
    except ValueError:
        return False
    return bool(_ADDRESS.fullmatch(text) and address.hostname and not address.username)
