"""Measure how many planted secrets redaction releases, and how many harmless texts it changes."""

import plistlib
from collections import Counter
from random import Random
from typing import NamedTuple

import msgspec

from benchloom.normalise.redaction import redact_shortcut, redact_text
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording import describe_workflow
from tests.support.planted.harmless import harmless_texts
from tests.support.planted.kinds import KINDS, Half
from tests.support.planted.places import PLACES, Planted, plant
from tests.support.samples.redaction import action

SEED = 38


def planted_secrets(half: Half, seed: int = SEED) -> list[Planted]:
    """Return one secret of every kind of a half in every place where redaction can recognise it."""
    chance = Random(seed)
    return [
        plant(kind, location, chance)
        for kind in KINDS
        if kind.half == half
        for location in PLACES
        if kind.form in location.forms
    ]


def is_released(planted: Planted) -> bool:
    """Return whether any part of a secret is left in the redacted shortcut."""
    content = plistlib.dumps({"WFWorkflowActions": planted.actions})
    shortcut = parse_shortcut(content, "planted")
    original_row, redacted_row = (
        msgspec.json.decode(msgspec.json.encode(shortcut_version))
        for shortcut_version in (shortcut, redact_shortcut(shortcut, describe_workflow))
    )
    original_text = "\n".join(_texts(original_row))
    if not all(part in original_text for part in planted.parts):
        raise AssertionError(f"{planted.kind.name} is not in {planted.place}")
    remaining_text = "\n".join(_texts(redacted_row))
    return any(part in remaining_text for part in planted.parts)


def _texts(value: object) -> list[str]:
    """Return every text in a row, and the texts inside JSON."""
    if isinstance(value, dict):
        return [*value, *(text for child in value.values() for text in _texts(child))]
    if isinstance(value, list):
        return [text for child in value for text in _texts(child)]
    if not isinstance(value, str):
        return [str(value)]
    try:
        inner = msgspec.json.decode(value)
    except msgspec.DecodeError:
        return [value]
    return [value, *(_texts(inner) if isinstance(inner, (dict, list)) else [str(inner)])]


def is_changed(text: str) -> bool:
    """Return whether redaction changes a text, alone or inside a shortcut."""
    content = plistlib.dumps(
        {"WFWorkflowActions": [action("gettext", WFTextActionText=text), action("exit")]}
    )
    shortcut = parse_shortcut(content, "harmless")
    return (
        redact_text(text).text != text
        or redact_shortcut(shortcut, describe_workflow) is not shortcut
    )


class Figures(NamedTuple):
    """The results of a half: the secrets that were released and the texts that were changed."""

    planted: int
    released: list[Planted]
    harmless: int
    changed: list[tuple[str, str]]

    def by_kind(self) -> Counter[str]:
        """Return the number of released secrets by kind."""
        return Counter(secret.kind.name for secret in self.released)

    def by_place(self) -> Counter[str]:
        """Return the number of released secrets by place."""
        return Counter(secret.place for secret in self.released)


def measure(half: Half, seed: int = SEED) -> Figures:
    """Measure redaction on a half and return the figures."""
    secrets = planted_secrets(half, seed)
    released = [planted for planted in secrets if is_released(planted)]
    texts = harmless_texts(half, seed)
    return Figures(len(secrets), released, len(texts), [t for t in texts if is_changed(t[1])])
