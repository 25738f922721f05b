"""Check that the message of a rejected object is cut to a maximum length."""

from benchloom.core.records import LONGEST_MESSAGE, Rejected


def test_long_message_ends_between_words() -> None:
    secret = "a.person" + "@" + "host.example.com"
    for before in range(LONGEST_MESSAGE - 40, LONGEST_MESSAGE + 20):
        message = "x" * before + f" {secret} and {'y ' * 10_000}"
        short_message = Rejected("parse", "a.plist", "damaged", message).message
        assert len(short_message) <= LONGEST_MESSAGE
        assert short_message.endswith(" …") or short_message == "…"
        assert "a.person" not in short_message or secret in short_message


def test_message_within_the_limit_stays_unchanged() -> None:
    for message in ("", "z" * LONGEST_MESSAGE):
        assert Rejected("parse", "a.plist", "damaged", message).message == message
    assert Rejected("parse", "a.plist", "damaged", "z" * 10**6).message == "…"
