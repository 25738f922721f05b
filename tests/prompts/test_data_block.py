"""Check that untrusted text stays inside the data block, whatever it contains."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.data_block import CLOSE, MAX_TEXT, OPEN, clean_text, data_block, read_data_block
from tests.support.soak import samples


class Texts(msgspec.Struct):
    """A record of texts for a data block."""

    text: str
    more: tuple[str, ...] = ()


@settings(max_examples=samples(100, 300), deadline=None)
@given(st.text(), st.lists(st.sampled_from([OPEN, CLOSE, '"', "\\", "\n", "{", "<", ">"])))
def test_no_text_escapes_the_data_block(text: str, marks: list[str]) -> None:
    hostile = clean_text(text + "".join(marks))
    block = data_block(Texts(hostile, tuple(marks)))
    assert block.count("\n") == 2
    assert read_data_block(block) == {"text": hostile, "more": marks}


def test_hidden_and_reordering_characters_are_removed() -> None:
    assert clean_text("a\u202eb\u200bc\u2066d\x00e\ufeff") == "abcde"
    assert clean_text("línea\nuno\t\U0001f600") == "línea\nuno\t\U0001f600"


def test_long_texts_are_cut_and_marked() -> None:
    assert len(clean_text("x" * 10_000)) == MAX_TEXT
    assert clean_text("x" * 10_000).endswith("[...]")


@pytest.mark.parametrize("message", ["", OPEN, f"{OPEN}\n1\n{CLOSE}\n{OPEN}\n2\n{CLOSE}", "{}"])
def test_message_must_contain_a_single_data_block(message: str) -> None:
    with pytest.raises(ValueError, match="data blocks"):
        read_data_block(message)
