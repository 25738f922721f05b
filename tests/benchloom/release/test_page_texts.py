"""Tests of foreign texts on pages: only safe addresses become links, and hidden letters show."""

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


@pytest.mark.parametrize("icloud_id", ["", None, "../../x", "0" * 31, "g" * 32, "0" * 32 + "\n"])
def test_only_icloud_ids_become_icloud_links(icloud_id: str | None) -> None:
    assert icloud_address(icloud_id) is None
    upper = "ABCDEF0123456789ABCDEF0123456789"
    assert icloud_address(upper) == f"https://www.icloud.com/shortcuts/{upper.lower()}"


def test_control_and_direction_characters_are_replaced() -> None:
    assert visible("a\u202eb\x00c\u2066d") == "a\ufffdb\ufffdc\ufffdd"
    assert visible("天气 ok\n\t🙂") == "天气 ok\n\t🙂"
