"""Tests of captures and opt-outs: which captured files and captures a release leaves out."""

from benchloom.normalise.opt_outs.captures import (
    Addressed,
    file_digest,
    hidden_captures,
    withheld_files,
)
from benchloom.normalise.opt_outs.files import Withheld
from benchloom.normalise.opt_outs.tombstones import Allowed
from tests.benchloom.normalise.opt_outs.samples import A, B, C, capture, link, listing, record

FILES = "https://files.example/"


def file_capture(number: int, body: str) -> Addressed:
    """Return the capture of a file whose body has the given digest."""
    return capture(number, f"{FILES}{number}", file=file_digest(f"sha256:{body}"))


def file_digests(index: list[Addressed]) -> dict[str, str]:
    """Return the file digest of every capture that has a file, by capture id."""
    return {
        index_entry.capture_id: index_entry.file
        for index_entry in index
        if index_entry.file is not None
    }


NOTHING_ALLOWED = Allowed((), (), (), frozenset(), frozenset())


def test_captured_file_has_the_source_digest_of_its_shortcut() -> None:
    assert file_digest("sha256:f00") == "file:sha256:f00"


def test_file_of_a_releasable_link_is_not_withheld() -> None:
    index = [
        file_capture(1, "1"),
        file_capture(2, "2"),
        file_capture(3, "3"),
        file_capture(4, "4"),
        capture(5),
    ]
    records = [record(A, "1"), record(B, "2"), record(C, "3")]
    allowed = Allowed((), (), (), frozenset({B}), frozenset({C}))
    assert withheld_files(file_digests(index), records, allowed) == Withheld(
        {
            "file:sha256:2": "opted_out",
            "file:sha256:3": "withheld",
            "file:sha256:4": "unshared",
        }
    )


def test_file_with_a_second_link_is_withheld_only_after_an_opt_out() -> None:
    index = [file_capture(1, "1"), file_capture(2, "2")]
    records = [record(A, "1"), record(B, "1"), record(C, "2"), record("d" * 32, "2")]
    allowed = Allowed((), (), (), frozenset({C}), frozenset({A}))
    assert withheld_files(file_digests(index), records, allowed).files == {
        "file:sha256:2": "opted_out"
    }


def test_listing_without_icloud_link_decides_about_its_file() -> None:
    index = [file_capture(1, "1"), file_capture(2, "2")]
    kept_listing, withheld_listing = (
        listing(1, link_capture="capture:1"),
        listing(2, link_capture="capture:2"),
    )
    allowed = Allowed((kept_listing,), (withheld_listing,), (), frozenset(), frozenset())
    assert withheld_files(file_digests(index), [], allowed).files == {"file:sha256:2": "withheld"}


def test_captures_addressed_by_a_withheld_link_are_hidden() -> None:
    index = [
        capture(1, link(A)),
        capture(2, link(B)),
        capture(3, link(C)),
        capture(4, location=link(A)),
        capture(5, location=link(B)),
        capture(6),
    ]
    allowed = Allowed((), (), (), frozenset({A}), frozenset({B}))
    assert hidden_captures(index, allowed, Withheld()) == {
        "capture:1": "opted_out",
        "capture:2": "withheld",
        "capture:4": "opted_out",
        "capture:5": "withheld",
    }


def test_page_is_hidden_only_if_all_its_listings_are_withheld() -> None:
    index = [capture(number) for number in (1, 2, 3, 4)]
    withheld_listings = (listing(1), listing(2), listing(3), listing(9, url=None))
    kept_listings = (
        listing(2),
        listing(7, url=None, capture="capture:3"),
        listing(8, url=None, link_capture="capture:4"),
    )
    allowed = Allowed(kept_listings, withheld_listings, (), frozenset(), frozenset())
    assert hidden_captures(index, allowed, Withheld()) == {"capture:1": "withheld"}


def test_capture_of_a_withheld_file_is_hidden_if_it_was_shared() -> None:
    index = [
        file_capture(1, "1"),
        file_capture(2, "2"),
        file_capture(3, "3"),
        file_capture(4, "4"),
        capture(5),
    ]
    exclusions = Withheld(
        {
            "file:sha256:1": "opted_out",
            "file:sha256:2": "withheld",
            "file:sha256:3": "unshared",
        }
    )
    assert hidden_captures(index, NOTHING_ALLOWED, exclusions) == {
        "capture:1": "opted_out",
        "capture:2": "withheld",
    }
