"""Check that files made from several parts return the parts to later steps of a run."""

import pytest

from benchloom.device.actions import all_actions
from benchloom.device.answers import Answers, AnswersFile
from benchloom.device.call import Call
from benchloom.device.errors import Meter
from benchloom.device.interpreter import Interpreter, Log
from benchloom.device.items import Content, File
from benchloom.device.settings import Device

IMAGE = File("a.png", "public.png", None, "d", width=40, height=20)


@pytest.mark.parametrize(
    ("make", "read", "parts", "expected"),
    [
        ("makezip", "unzip", (IMAGE,), (IMAGE,)),
        ("makegif", "getframesfromimage", (IMAGE, IMAGE), (IMAGE, IMAGE)),
        ("makepdf", "gettextfrompdf", ("a", "b"), ("a\nb",)),
        ("savetocameraroll", "getlastphoto", (IMAGE,), (IMAGE,)),
    ],
)
def test_reading_a_made_file_returns_its_parts(
    make: str, read: str, parts: Content, expected: Content
) -> None:
    """An action that reads the file of an earlier action returns its parts without a question."""
    log = Log(Device(), Answers(AnswersFile()), {}, Meter())
    run = Interpreter(log, None, "", (), 0, steps=[])
    content = parts
    for name in (make, read):
        content = all_actions()[f"is.workflow.actions.{name}"](Call(run, {}, content))
    assert content == expected
    assert not log.questions
