"""Which captured files and captures a release leaves out, and why."""

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


def file(number: int, body: str) -> Addressed:
    return capture(number, f"{FILES}{number}", file=file_digest(f"sha256:{body}"))


def files(index: list[Addressed]) -> dict[str, str]:
    return {
        index_entry.capture_id: index_entry.file
        for index_entry in index
        if index_entry.file is not None
    }


NOTHING = Allowed((), (), (), frozenset(), frozenset())


def test_a_file_has_the_digest_of_what_is_parsed_from_it() -> None:
    assert file_digest("sha256:f00") == "file:sha256:f00"


def test_a_file_stays_when_a_link_that_may_be_released_leads_to_it() -> None:
    index = [file(1, "1"), file(2, "2"), file(3, "3"), file(4, "4"), capture(5)]
    records = [record(A, "1"), record(B, "2"), record(C, "3")]
    allowed = Allowed((), (), (), frozenset({B}), frozenset({C}))
    assert withheld_files(files(index), records, allowed) == Withheld(
        {
            "file:sha256:2": "opted_out",
            "file:sha256:3": "withheld",
            "file:sha256:4": "unshared",
        }
    )


def test_a_file_that_is_also_shared_elsewhere_stays_unless_its_owner_opted_out() -> None:
    index = [file(1, "1"), file(2, "2")]
    records = [record(A, "1"), record(B, "1"), record(C, "2"), record("d" * 32, "2")]
    allowed = Allowed((), (), (), frozenset({C}), frozenset({A}))
    assert withheld_files(files(index), records, allowed).files == {"file:sha256:2": "opted_out"}


def test_a_listing_may_lead_to_its_file_without_icloud() -> None:
    index = [file(1, "1"), file(2, "2")]
    kept_listing, gone = listing(1, link_capture="capture:1"), listing(2, link_capture="capture:2")
    allowed = Allowed((kept_listing,), (gone,), (), frozenset(), frozenset())
    assert withheld_files(files(index), [], allowed).files == {"file:sha256:2": "withheld"}


def test_addresses_that_name_a_withheld_link_are_hidden() -> None:
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


def test_the_page_of_a_withheld_listing_is_hidden_unless_another_stays_on_it() -> None:
    index = [capture(number) for number in (1, 2, 3, 4)]
    gone = (listing(1), listing(2), listing(3), listing(9, url=None))
    kept_listings = (
        listing(2),
        listing(7, url=None, capture="capture:3"),
        listing(8, url=None, link_capture="capture:4"),
    )
    allowed = Allowed(kept_listings, gone, (), frozenset(), frozenset())
    assert hidden_captures(index, allowed, Withheld()) == {"capture:1": "withheld"}


def test_the_file_that_is_withheld_is_hidden_and_one_that_nobody_shares_is_not() -> None:
    index = [file(1, "1"), file(2, "2"), file(3, "3"), file(4, "4"), capture(5)]
    exclusions = Withheld(
        {
            "file:sha256:1": "opted_out",
            "file:sha256:2": "withheld",
            "file:sha256:3": "unshared",
        }
    )
    assert hidden_captures(index, NOTHING, exclusions) == {
        "capture:1": "opted_out",
        "capture:2": "withheld",
    }
