"""Texts of strangers on pages: which become links, and which letters are shown."""

import pytest

from benchloom.release.descriptions.pages import icloud_address, visible, web_address


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " data:text/html,x",
        "https://",
        "//x",
        None,
        "http://[bad",
        "\u202ehttps://a.b",
    ],
)
def test_only_web_addresses_become_links(address: str | None) -> None:
    assert web_address(address) is None
    assert web_address("https://a.example/b?c=d") == "https://a.example/b?c=d"


@pytest.mark.parametrize("found", ["", None, "../../x", "0" * 31, "g" * 32, "0" * 32 + "\n"])
def test_only_icloud_ids_become_icloud_links(found: str | None) -> None:
    assert icloud_address(found) is None
    upper = "ABCDEF0123456789ABCDEF0123456789"
    assert icloud_address(upper) == f"https://www.icloud.com/shortcuts/{upper.lower()}"


def test_letters_that_hide_or_turn_text_are_replaced() -> None:
    assert visible("a\u202eb\x00c\u2066d") == "a\ufffdb\ufffdc\ufffdd"
    assert visible("天气 ok\n\t🙂") == "天气 ok\n\t🙂"
