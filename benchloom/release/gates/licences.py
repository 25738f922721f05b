"""Gate: every table, the card and the Croissant description state their licence."""

import json
from collections.abc import Iterator

import msgspec

from benchloom.core.errors import RunError
from benchloom.release.gates.view import GateView
from benchloom.release.texts import LICENCE_ADDRESS
from benchloom.storage.tables import load_table

CARD = "README.md"
CROISSANT = "croissant.json"


def findings(release: GateView) -> Iterator[str]:
    """Yield one line per table or document without a licence."""
    for name in release.manifest.tables():
        try:
            licence = load_table(name).licence
        except RunError:
            continue  # the contract gate names it
        if not licence.strip():
            yield f"{name}: its definition names no licence"
    paths = {file.path for file in release.manifest.files}
    if CARD in paths and not _card_licence(release):
        yield f"{CARD}: the front matter names no licence"
    if CROISSANT in paths and _croissant_licence(release) != LICENCE_ADDRESS:
        yield f"{CROISSANT}: the licence is not {LICENCE_ADDRESS}"


def _card_licence(release: GateView) -> bool:
    try:
        text = (release.folder / CARD).read_text(encoding="utf-8")
        _, _, rest = text.partition("---\n")
        matter = msgspec.yaml.decode(rest.partition("\n---\n")[0])
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return isinstance(matter, dict) and bool(matter.get("license"))


def _croissant_licence(release: GateView) -> object:
    try:
        described = json.loads((release.folder / CROISSANT).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # no text or no JSON, as the gate of documents says
        return None
    return described.get("license") if isinstance(described, dict) else None
