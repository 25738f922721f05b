"""Write `CITATION.cff`, which says how to cite a release (Citation File Format 1.2.0).

The dataset card shows the same citation as BibTeX.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from benchloom.core.set_details import UNNAMED, SetDetails
from benchloom.release.descriptions import ReleaseView
from benchloom.storage.workspace import write_file

PATHS = ("CITATION.cff",)
_SUBTITLE = "data for API-calling and tool-planning agents"
_CONTRIBUTORS = "The benchloom contributors"
_SPECIAL = re.compile(r"([&%$#_])")


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write `CITATION.cff` and return its path."""
    path = folder / PATHS[0]
    text = citation(release.details, release.version, release.content_digest)
    write_file(path, text.encode())
    return [path]


def citation(details: SetDetails, version: str, content_digest: str) -> str:
    """Return the text of `CITATION.cff`."""
    entries: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it as below.",
        "type": "dataset",
        "title": _title(details),
        "authors": [
            {"name": author.name, **({"email": author.mail} if author.mail else {})}
            for author in details.people
        ]
        or [{"name": _default_author(details)}],
        "version": version,
        "identifiers": [
            {"type": "other", "value": content_digest, "description": "Digest of the tables"}
        ],
    }
    if details.description:
        entries["abstract"] = details.description
    if details.spdx:
        entries["license"] = details.spdx
    if details.homepage:
        entries["url"] = details.homepage
    return yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=10_000)


def bibtex(release: ReleaseView) -> str:
    """Return the citation of a release as a BibTeX entry, for the dataset card."""
    details = release.details
    names = [author.name for author in details.people] or [_default_author(details)]
    key = details.name or re.sub(r"[^a-z0-9]+", "_", details.heading.lower()).strip("_") or UNNAMED
    lines = [
        f"@misc{{{key}_{release.version.replace('.', '_')},",
        f"  title = {{{_escape(_title(details))}}},",
        f"  author = {{{' and '.join(f'{{{_escape(name)}}}' for name in names)}}},",
        f"  edition = {{Release {release.version}}},",
        f"  note = {{Content digest {release.content_digest}}},",
    ]
    if details.homepage:
        lines.append(f"  url = {{{details.homepage}}},")
    return "\n".join([*lines, "}"])


def _title(details: SetDetails) -> str:
    return f"{UNNAMED}: {_SUBTITLE}" if details.heading == UNNAMED else details.heading


def _default_author(details: SetDetails) -> str:
    return _CONTRIBUTORS if details.heading == UNNAMED else f"The authors of {details.heading}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", re.sub(r"[{}\\]", "", text))
