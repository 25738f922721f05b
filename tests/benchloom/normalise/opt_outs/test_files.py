"""Files that nobody may publish: an opt-out covers content, but equal emptiness is no copy."""

from pathlib import Path

import pytest

from benchloom.normalise.opt_outs.files import (
    WITHHELD_REASONS,
    Withheld,
    icloud_digest,
    read_withheld,
    withhold_files,
    write_withheld,
)
from benchloom.normalise.shortcuts import Key


def key(number: int, ident: str, *, empty: bool = False, uri: str | None = None) -> Key:
    source_uri, named = uri or f"{number}.plist", True
    return Key(ident, "c", f"file:{number}", source_uri, empty, named, 0, number)


def told(keys: list[Key], withheld: Withheld) -> tuple[list[str], list[tuple[str, str]]]:
    kept_keys, rejected = withhold_files(keys, withheld)
    assert len(kept_keys) + len(rejected) == len(keys)
    return [row_key.source_uri for row_key in kept_keys], [
        (r.source_uri, r.reason) for r in rejected
    ]


def test_an_opt_out_takes_every_copy_of_the_content() -> None:
    keys = [key(1, "shortcut:a"), key(2, "shortcut:a"), key(3, "shortcut:b")]
    expected = (["3.plist"], [("1.plist", "opted_out"), ("2.plist", "opted_out")])
    assert told(keys, Withheld({"file:1": "opted_out"})) == expected
    assert told(keys, Withheld({"file:2": "opted_out"})) == expected
    assert told(keys, Withheld(shortcuts=("shortcut:a",))) == expected


def test_an_empty_shortcut_is_taken_by_its_own_bytes_only() -> None:
    keys = [key(1, "shortcut:0", empty=True), key(2, "shortcut:0", empty=True)]
    assert told(keys, Withheld({"file:1": "opted_out"})) == (
        ["2.plist"],
        [("1.plist", "opted_out")],
    )
    # Named by its id, every shortcut of that id goes, empty or not.
    assert told(keys, Withheld(shortcuts=("shortcut:0",)))[0] == []


@pytest.mark.parametrize("reason", ["withheld", "unshared"])
def test_other_reasons_take_the_file_alone(reason: str) -> None:
    keys = [key(1, "shortcut:a"), key(2, "shortcut:a")]
    assert told(keys, Withheld({"file:1": reason})) == (["2.plist"], [("1.plist", reason)])


def test_a_copy_of_what_is_opted_out_says_so_whatever_else_is_wrong_with_it() -> None:
    keys = [key(1, "shortcut:a"), key(2, "shortcut:a")]
    withheld = Withheld({"file:1": "opted_out", "file:2": "unshared"})
    assert told(keys, withheld)[1] == [("1.plist", "opted_out"), ("2.plist", "opted_out")]


def test_the_row_names_the_archive_and_the_digest_not_the_address() -> None:
    (row,) = withhold_files(
        [key(1, "shortcut:a", uri="site.warc.gz!https://example/0123")],
        Withheld({"file:1": "withheld"}),
    )[1]
    assert (row.stage, row.source_uri, row.digest) == ("normalise", "site.warc.gz", "file:1")
    assert row.message == "every listing that leads to it is withheld"
    assert row.reason in WITHHELD_REASONS


def test_nothing_withheld_keeps_every_row() -> None:
    keys = [key(1, "shortcut:a"), key(2, "shortcut:b", empty=True)]
    assert withhold_files(keys, Withheld()) == (keys, ())


def test_ids_of_shortcuts_join_what_is_withheld() -> None:
    first = Withheld({"file:1": "withheld"}, ("shortcut:b",))
    joined = first.joined([" shortcut:a ", "https://example.org/x", "shortcut:b"])
    assert joined == Withheld({"file:1": "withheld"}, ("shortcut:a", "shortcut:b"))
    assert first.joined([]) == first


def test_the_key_of_a_stage_changes_with_everything_that_is_withheld() -> None:
    all_ways = [
        Withheld(),
        Withheld({"file:1": "withheld"}),
        Withheld({"file:1": "opted_out"}),
        Withheld({"file:2": "withheld"}),
        Withheld({"file:1": "withheld", "file:2": "withheld"}),
        Withheld(shortcuts=("shortcut:a",)),
    ]
    assert len({withheld.digest() for withheld in all_ways}) == len(all_ways)
    first_exclusions = Withheld(
        {"file:1": "withheld", "file:2": "unshared"}, ("shortcut:b", "shortcut:a")
    )
    other = Withheld({"file:2": "unshared", "file:1": "withheld"}, ("shortcut:a", "shortcut:b"))
    assert first_exclusions.digest() == other.digest()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    withheld = Withheld({"file:1": "withheld"}, ("shortcut:a",))
    write_withheld(tmp_path, withheld)
    assert read_withheld(tmp_path) == withheld
    assert read_withheld(tmp_path / "nowhere") == read_withheld(None) == Withheld()


def test_an_icloud_id_is_named_by_its_digest() -> None:
    assert icloud_digest("0" * 32).startswith("icloud:sha256:")
    assert icloud_digest("0" * 32) != icloud_digest("1" * 32)
    assert "0" * 32 not in icloud_digest("0" * 32)
