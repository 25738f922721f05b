"""Check that files of other kinds are refused with the name of their kind."""

from contextlib import ExitStack
from pathlib import Path
from zipfile import ZipFile

import pytest

from benchloom.storage.inputs import InputLimits, list_objects
from parsers.definitions.documents import read_document
from parsers.dialogues.sgd.dialogue_files import DialogueReader
from parsers.dialogues.sgd.model import Dialogue
from parsers.errors import ParseError
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.containers import read_root
from parsers.shortcuts.cross_check import cross_check
from tests.support.shared_data import shared_file

KINDS = (
    (b"\x1f\x8b\x08\x00rest", "gzip"),
    (b"PK\x03\x04rest", "nested_archive"),
    (b"SQLite format 3\x00rest", "sqlite_database"),
    (b"%PDF-1.7", "pdf"),
    (b"\x89PNG\r\n", "image"),
    (b"<!DOCTYPE html>\n<html></html>", "html_page"),
    (b"\n <!-- saved - by hand --> <html><body>Sign in</body></html>", "html_page"),
    (
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "a.dtd"><html/>',
        "html_page",
    ),
    (b"<?xml version='1.0'?><?xml-stylesheet href='a.css'?><!-- a --><html/>", "html_page"),
    (b"\xef\xbb\xbf\n<?xml version='1.0'?>\n<html><body>Sign in<br></body>", "html_page"),
    (b"// !$*UTF8*$!\n{ WFWorkflowActions = ( { a = b; } ); }", "openstep_property_list"),
    (b'/* list */ {\n  "WFWorkflowActions" = ();\n}', "openstep_property_list"),
    (b"( { WFWorkflowActionIdentifier = x; } )", "openstep_property_list"),
)
OTHERS = (
    (b"water = the tomatoes", "unknown_format"),
    (b'{"a": ', "bad_json"),
    (b'{"a==": "b = c;"}', "not_a_shortcut"),
    (b"<note>html</note>", "unknown_format"),
    (b"<?xml version='1.0'?><note>html</note>", "not_a_shortcut"),
    (b"<?xml version='1.0'?><!-- <html> --><plist><dict/></plist>", "not_a_shortcut"),
    (b'{"recordName": "r", "fields": {"shortcut": {}}}', "icloud_record"),
)


@pytest.mark.parametrize(("data", "reason"), [*KINDS, *OTHERS])
def test_file_that_is_no_shortcut_is_refused_by_kind(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as error:
        read_root(data)
    assert error.value.reason == reason


@pytest.mark.parametrize(("data", "reason"), KINDS)
def test_file_that_is_no_definition_is_refused_by_kind(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as error:
        read_document(data)
    assert error.value.reason == reason


@pytest.mark.parametrize(
    "data",
    [
        b"/*" * 200_000,
        b"//\n" * 200_000,
        b" " * 400_000,
        b"<?xml ?>" + b"<!-- - -->" * 40_000,
        b"<?xml " + b"?" * 400_000,
        b"{" + b" " * 400_000,
        b'{"' + b"\\" * 400_000,
    ],
)
def test_long_runs_are_refused_in_linear_time(data: bytes) -> None:
    # With backtracking, this would take hours.
    with pytest.raises(ParseError):
        read_root(data)


@pytest.mark.parametrize(
    "text",
    [
        b'{"SNG01.json": {"goal": {"taxi": {}}, "log": [{"text": "Hello", "metadata": {}}]}}',
        b'{\n "MUL0001": {"log": [{"text": "Hello", "dialog_act": {}}]}}',
    ],
)
def test_other_multiwoz_versions_name_the_supported_one(text: bytes) -> None:
    with pytest.raises(ParseError, match=r"2\.0, 2\.1, 2\.3 and 2\.4.*MultiWOZ_2\.2") as error:
        DialogueReader(Dialogue).read(text)
    assert error.value.reason == "multiwoz_other_version"


def test_archive_inside_an_archive_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "inner.zip", "w") as inner:
        inner.writestr("a.shortcut", b"x")
    with ZipFile(tmp_path / "outer.zip", "w") as outer:
        outer.write(tmp_path / "inner.zip", "inner.zip")
    with ExitStack() as stack:
        (source,) = list_objects([tmp_path / "outer.zip"], stack, InputLimits())
        with pytest.raises(ParseError) as error:
            parse_shortcut(source.read(), source.source_uri)
    assert error.value.reason == "nested_archive"


def read_case(name: str) -> bytes:
    """Read the only file with a name from the small real inputs."""
    with ZipFile(shared_file("cases.zip")) as archive:
        (member,) = [path for path in archive.namelist() if path.endswith(name)]
        return archive.read(member)


@pytest.mark.real_data
def test_property_list_with_a_uid_passes_both_readers() -> None:
    data = read_case("uid.shortcut")
    assert parse_shortcut(data, "uid.shortcut").actions
    cross_check(data)


@pytest.mark.real_data
def test_unsigned_64_bit_number_stays_a_number() -> None:
    data = read_case("bigint.shortcut")
    cross_check(data)
    first = parse_shortcut(data, "bigint.shortcut").actions[0]
    (argument,) = first.arguments
    assert (argument.kind, argument.value) == ("literal", "9223372036854775813")
