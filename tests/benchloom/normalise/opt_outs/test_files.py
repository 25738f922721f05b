"""Tests of withheld files: an opt-out covers equal content, except that of empty shortcuts."""

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


def shortcut_key(
    number: int, shortcut_id: str, *, empty: bool = False, uri: str | None = None
) -> Key:
    """Return the key of a shortcut in file number `number`."""
    source_uri, named = uri or f"{number}.plist", True
    return Key(shortcut_id, "c", f"file:{number}", source_uri, empty, named, 0, number)


def partition_files(keys: list[Key], withheld: Withheld) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the source URIs of the files that stay, and (URI, reason) of the rejected ones."""
    kept_keys, rejected = withhold_files(keys, withheld)
    assert len(kept_keys) + len(rejected) == len(keys)
    return [row_key.source_uri for row_key in kept_keys], [
        (r.source_uri, r.reason) for r in rejected
    ]


def test_opt_out_withholds_every_copy_of_the_content() -> None:
    keys = [
        shortcut_key(1, "shortcut:a"),
        shortcut_key(2, "shortcut:a"),
        shortcut_key(3, "shortcut:b"),
    ]
    expected = (["3.plist"], [("1.plist", "opted_out"), ("2.plist", "opted_out")])
    assert partition_files(keys, Withheld({"file:1": "opted_out"})) == expected
    assert partition_files(keys, Withheld({"file:2": "opted_out"})) == expected
    assert partition_files(keys, Withheld(shortcuts=("shortcut:a",))) == expected


def test_opt_out_of_an_empty_shortcut_spares_other_empty_files() -> None:
    keys = [shortcut_key(1, "shortcut:0", empty=True), shortcut_key(2, "shortcut:0", empty=True)]
    assert partition_files(keys, Withheld({"file:1": "opted_out"})) == (
        ["2.plist"],
        [("1.plist", "opted_out")],
    )
    # An opt-out by shortcut id withholds every file with that id, empty or not.
    assert partition_files(keys, Withheld(shortcuts=("shortcut:0",)))[0] == []


@pytest.mark.parametrize("reason", ["withheld", "unshared"])
def test_other_reasons_withhold_one_file_and_no_copies(reason: str) -> None:
    keys = [shortcut_key(1, "shortcut:a"), shortcut_key(2, "shortcut:a")]
    assert partition_files(keys, Withheld({"file:1": reason})) == (
        ["2.plist"],
        [("1.plist", reason)],
    )


def test_opt_out_is_the_reason_of_a_copy_with_another_reason() -> None:
    keys = [shortcut_key(1, "shortcut:a"), shortcut_key(2, "shortcut:a")]
    withheld = Withheld({"file:1": "opted_out", "file:2": "unshared"})
    assert partition_files(keys, withheld)[1] == [
        ("1.plist", "opted_out"),
        ("2.plist", "opted_out"),
    ]


def test_rejected_row_has_the_archive_and_digest_but_no_address() -> None:
    (row,) = withhold_files(
        [shortcut_key(1, "shortcut:a", uri="site.warc.gz!https://example/0123")],
        Withheld({"file:1": "withheld"}),
    )[1]
    assert (row.stage, row.source_uri, row.digest) == ("normalise", "site.warc.gz", "file:1")
    assert row.message == "every listing that leads to it is withheld"
    assert row.reason in WITHHELD_REASONS


def test_every_row_stays_when_nothing_is_withheld() -> None:
    keys = [shortcut_key(1, "shortcut:a"), shortcut_key(2, "shortcut:b", empty=True)]
    assert withhold_files(keys, Withheld()) == (keys, ())


def test_joined_adds_shortcut_ids_and_ignores_addresses() -> None:
    first = Withheld({"file:1": "withheld"}, ("shortcut:b",))
    joined = first.joined([" shortcut:a ", "https://example.org/x", "shortcut:b"])
    assert joined == Withheld({"file:1": "withheld"}, ("shortcut:a", "shortcut:b"))
    assert first.joined([]) == first


def test_digest_changes_with_every_withheld_file_reason_and_id() -> None:
    distinct_exclusions = [
        Withheld(),
        Withheld({"file:1": "withheld"}),
        Withheld({"file:1": "opted_out"}),
        Withheld({"file:2": "withheld"}),
        Withheld({"file:1": "withheld", "file:2": "withheld"}),
        Withheld(shortcuts=("shortcut:a",)),
    ]
    assert len({withheld.digest() for withheld in distinct_exclusions}) == len(distinct_exclusions)
    first_exclusions = Withheld(
        {"file:1": "withheld", "file:2": "unshared"}, ("shortcut:b", "shortcut:a")
    )
    other = Withheld({"file:2": "unshared", "file:1": "withheld"}, ("shortcut:a", "shortcut:b"))
    assert first_exclusions.digest() == other.digest()


def test_written_withheld_files_are_read_back(tmp_path: Path) -> None:
    withheld = Withheld({"file:1": "withheld"}, ("shortcut:a",))
    write_withheld(tmp_path, withheld)
    assert read_withheld(tmp_path) == withheld
    assert read_withheld(tmp_path / "nowhere") == read_withheld(None) == Withheld()


def test_icloud_id_is_replaced_by_its_digest() -> None:
    assert icloud_digest("0" * 32).startswith("icloud:sha256:")
    assert icloud_digest("0" * 32) != icloud_digest("1" * 32)
    assert "0" * 32 not in icloud_digest("0" * 32)
