"""Check the name of a shortcut and the source of the name."""

import pytest

from demo.containers import binary
from demo.drafts import Draft
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording import name_of_file


@pytest.mark.parametrize(
    ("source_uri", "name"),
    [
        ("Water the plants.shortcut", "Water the plants"),
        ("kept/2021/Water%20the%20plants.plist", "Water the plants"),
        ("all.zip!kept/Water.shortcut.plist", "Water"),
        ("all.zip!a!b.SHORTCUT", "a!b"),
        ("Wake up!.shortcut", "Wake up!"),
        ("kept/Hi! And bye.shortcut", "Hi! And bye"),
        ("all.zip!Wake up!.shortcut", "Wake up!"),
        ("all.zip!kept/Hi! And bye.shortcut", "Hi! And bye"),
        ("outer.zip!inner.ZIP!Wake up!.shortcut", "Wake up!"),
        ("captures.warc.gz!https://example.org/Hi!/Water.shortcut", None),
        ("v1.2 of it.xml", "v1.2 of it"),
        ("no suffix", "no suffix"),
        ("50% off.json", "50% off"),
        ("Cafe\u0301.shortcut", "Caf\u00e9"),
        ("line%0Abreak.shortcut", "line break"),
        ("captures.warc.gz!https://example.org/files/Water.shortcut", None),
        ("0123456789abcdef0123456789abcdef.plist", None),
        ("0A1B2C3D-0000-1111-2222-0A1B2C3D4E5F.shortcut", None),
        (".shortcut", None),
        ("%20.plist", None),
        ("", None),
    ],
)
def test_shortcut_name_from_the_file_name(source_uri: str, name: str | None) -> None:
    assert name_of_file(source_uri) == name


def test_name_inside_the_file_takes_precedence() -> None:
    named, unnamed = Draft("Inside", named=True), Draft("Inside")
    inside = parse_shortcut(binary(named.build()), "Outside.shortcut")
    outside = parse_shortcut(binary(unnamed.build()), "Outside.shortcut")
    nowhere = parse_shortcut(binary(unnamed.build()), "0123456789abcdef.shortcut")
    assert (inside.name, inside.name_source) == ("Inside", "shortcut")
    assert (outside.name, outside.name_source) == ("Outside", "file")
    assert (nowhere.name, nowhere.name_source) == (None, None)
    assert inside.shortcut_id == outside.shortcut_id
