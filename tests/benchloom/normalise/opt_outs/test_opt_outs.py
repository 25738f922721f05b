"""Tests of opt-out entries: one that can match nothing is reported with the accepted forms."""

import pytest

from benchloom.normalise.opt_outs import opt_out_fault
from tests.benchloom.normalise.opt_outs.samples import A, link

ACCEPTED_FORMS = (
    "give the address of a listing (https://...), an iCloud link or id, or the id of a shortcut "
    "(shortcut:sha256:...) or of a dialogue (dialogue:sha256:...)"
)


@pytest.mark.parametrize(
    "entry",
    [
        A,
        f" {A.upper()} ",
        "aaaaaaaa-aaaa-AAAA-aaaa-aaaaaaaaaaaa",
        link(A),
        f"see {link(A)}",
        f"shortcut:sha256:{64 * '0'}",
        f"dialogue:sha256:{64 * '0'}",
        "https://teashop.example/listing",
        "http://teashop.example/?id=3",
        " https://teashop.example/a ",
    ],
)
def test_valid_opt_out_entry_has_no_fault(entry: str) -> None:
    assert opt_out_fault(entry) is None


@pytest.mark.parametrize(
    "entry",
    [
        "",
        A[1:],
        A + "0",
        "aaaaaaaaaaaa-aaaa-aaaa-aaaaaaaaaaaa",
        f"shortcut:sha256:{63 * '0'}",
        f"shortcut:sha256:{64 * 'A'}",
        f"plan:sha256:{64 * '0'}",
        "teashop.example/listing",
        "ftp://teashop.example/listing",
        "https://",
        "https://[half/listing",
        "https://teashop.example/a b",
    ],
)
def test_entry_that_can_match_nothing_is_reported(entry: str) -> None:
    assert opt_out_fault(entry) == f"'{entry}' is not an opt-out: {ACCEPTED_FORMS}"


@pytest.mark.parametrize("entry", ["https://www.icloud.com/shortcuts/aa", "https://icloud.com/x"])
def test_icloud_link_without_a_full_id_is_reported(entry: str) -> None:
    expected = f"'{entry}' names no shortcut on iCloud, because its id is missing or incomplete"
    assert opt_out_fault(entry) == expected


@pytest.mark.parametrize("entry", ["https://teashop.example", "https://teashop.example/"])
def test_address_of_a_whole_site_is_reported(entry: str) -> None:
    assert opt_out_fault(entry) == f"'{entry}' names a site, not a listing: {ACCEPTED_FORMS}"
