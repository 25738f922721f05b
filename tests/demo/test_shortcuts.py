"""Check that the demo's shortcuts equal their script's output and show every flag and reason."""

from collections import Counter

import pytest

from benchloom.core.records import Rejected, Shortcut
from parsers.errors import ParseError
from parsers.shortcuts import parse_shortcut
from tests.support.demo_files.damaged import damaged_files
from tests.support.demo_files.odd import FLAGS
from tests.support.demo_files.shortcuts import SHORTCUTS, files

CONTAINER_FLAGS = {
    "wrapped_in_list",
    "bare_action_list",
    "nested_under_shortcut",
    "control_characters_stripped",
    "lone_surrogates_replaced",
}
SERIALIZATIONS = (
    b"WFTextTokenString",
    b"WFTextTokenAttachment",
    b"WFDictionaryFieldValue",
    b"WFArrayParameterState",
    b"WFContentPredicateTableTemplate",
    b"WFNumberSubstitutableState",
    b"WFQuantityFieldValue",
    b"WFTimeOffsetValue",
    b"WFStringSubstitutableState",
    b"WFContactFieldValue",
    b"WFTokenAttachmentParameterState",
)


def readable_shortcuts() -> dict[str, Shortcut]:
    """Return the parsed shortcuts of all undamaged files by file name."""
    return {
        name: parse_shortcut(data, name)
        for name, data in files().items()
        if not name.startswith("damaged/")
    }


def test_committed_files_equal_the_output_of_their_script() -> None:
    expected_files = files()
    committed_files = {
        path.relative_to(SHORTCUTS).as_posix(): path.read_bytes()
        for path in SHORTCUTS.rglob("*")
        if path.is_file()
    }
    assert committed_files == expected_files


def test_forty_or_more_shortcuts_use_every_container() -> None:
    containers = Counter(shortcut.container for shortcut in readable_shortcuts().values())
    assert sum(containers.values()) >= 40
    assert set(containers) == {"binary", "xml", "json", "signed"}


@pytest.mark.parametrize("flag", sorted(set(FLAGS) | CONTAINER_FLAGS))
def test_flag_occurs_in_a_shortcut(flag: str) -> None:
    assert any(flag in shortcut.oddities for shortcut in readable_shortcuts().values())


def test_shortcuts_have_only_known_flags() -> None:
    flags = {flag for shortcut in readable_shortcuts().values() for flag in shortcut.oddities}
    assert flags == set(FLAGS) | CONTAINER_FLAGS


@pytest.mark.parametrize("serialization", SERIALIZATIONS)
def test_serialization_occurs_in_a_shortcut(serialization: bytes) -> None:
    values = "".join(
        argument.value
        for shortcut in readable_shortcuts().values()
        for action in shortcut.actions
        for argument in action.arguments
    )
    assert serialization in values.encode()


@pytest.mark.parametrize("name", sorted(damaged_files()))
def test_damaged_file_is_rejected_with_its_reason(name: str) -> None:
    data, reason = damaged_files()[name]
    with pytest.raises(ParseError) as caught:
        parse_shortcut(data, name)
    assert caught.value.reason == reason
    assert Rejected("parse", name, caught.value.reason, caught.value.message).message
