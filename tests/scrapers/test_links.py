"""Check ids of iCloud links as people write them."""

import json
import zipfile

import pytest

from benchloom.core.icloud_links import canonical_link, find_ids, normalise_link
from tests.support.shared_data import shared_file

ID = "0123456789abcdef0123456789abcdef"
HYPHENATED = "01234567-89AB-CDEF-0123-456789ABCDEF"


@pytest.mark.parametrize(
    "text",
    [
        f"https://www.icloud.com/shortcuts/{ID}",
        f"  http://icloud.com/shortcuts/{ID.upper()}/ \n",
        f"rhttps://www.icloud.com/shortcuts/{ID}?utm_source=x",
        f"www.icloud.com/shortcuts/api/records/{HYPHENATED}",
        f"see https://www.icloud.com/shortcuts/{ID}, it is good",
        f"https://preview.example/?shortcut=https://www.icloud.com/shortcuts/{ID}&x=1",
        f"https://www.icloud.com/shortcuts/{ID}zebra",
    ],
)
def test_id_is_found_in_a_link(text: str) -> None:
    assert normalise_link(text).ids == (ID,)
    assert normalise_link(text).problem is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no_link"),
        (" \t", "no_link"),
        (f"https://www.icloud.com/shortcuts/{ID}0", "bad_id"),
        (f"https://www.icloud.com/shortcuts/{ID[:31]}", "bad_id"),
        ("https://www.icloud.com/shortcuts/", "bad_id"),
        ("https://www.icloud.com/shortcuts/{id}", "bad_id"),
        (f"https://workflow.is/workflows/{ID}", "legacy_host"),
        ("https://apps.apple.com/us/app/id1", "not_a_shortcut"),
        ("https://www.icloud.com/iclouddrive/0abc#x", "not_a_shortcut"),
        (f"https://showcuts.example/share/{ID}", "not_a_shortcut"),
        (ID, "not_a_url"),
        ("Opens the door. Then closes it.", "not_a_url"),
    ],
)
def test_text_without_an_id_has_a_reason(text: str | None, reason: str) -> None:
    assert normalise_link(text) == normalise_link(text)
    assert normalise_link(text).ids == ()
    assert normalise_link(text).problem == reason


def test_several_links_keep_their_order_without_repeats() -> None:
    other_id = "f" * 32
    text = f"{canonical_link(other_id)},{canonical_link(ID)},{canonical_link(other_id)}"
    assert find_ids(text) == (other_id, ID)


def test_huge_text_without_ids_is_read() -> None:
    assert find_ids("icloud.com/shortcuts/" * 200_000) == ()


@pytest.mark.real_data
def test_real_links_have_their_expected_ids_and_reasons() -> None:
    with zipfile.ZipFile(shared_file("sites.zip")) as archive:
        cases = json.loads(archive.read("icloud_link_cases.json"))["items"]
    assert len(cases) > 60
    for case in cases:
        expected_ids = case["expect_id"]
        ids = (
            ()
            if expected_ids is None
            else (expected_ids,)
            if isinstance(expected_ids, str)
            else tuple(expected_ids)
        )
        link = normalise_link(case["url"])
        assert link.ids == ids, case["kind"]
        # "reject:bad_id (why)" contains the reason; "reject" alone accepts any reason.
        reason = case["action"].partition(":")[2].split(" ")[0]
        assert (link.problem is None) == bool(ids)
        if reason:
            assert link.problem == reason, case["kind"]
