"""Scenes: the user's first message, facts for the simulated user, and the calls to be made."""

import re

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.formats.api_bank.call_text import read_calls
from benchloom.exchange.formats.api_bank.rows import LONGEST_CALL
from benchloom.exchange.formats.api_bank.talks import Talk

_FIRST = re.compile(r"^\s*First Utter[ae]nce\s*:\s*(.*\S)\s*$", re.MULTILINE | re.IGNORECASE)
_CALLS = re.compile(r"^[-\s]*(?:GT )?API Calls?\s*:", re.MULTILINE | re.IGNORECASE)
LONGEST_SCENE = 256 * 1024


def is_scene(head: bytes) -> bool:
    """Whether a file begins like a scene."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:6].lower() == b"scene:"


def read_scene(data: bytes) -> Talk:
    """The dialogue that a scene asks for, without the scene's facts for the user.

    Raises:
        RejectedInputError: the data are not a scene, or one of its calls cannot be read.
    """
    if len(data) > LONGEST_SCENE:
        raise RejectedInputError("too_large", f"larger than {LONGEST_SCENE} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RejectedInputError("not_utf8", str(error)) from error
    first, calls = _FIRST.search(text), _CALLS.search(text)
    if first is None or calls is None:
        raise RejectedInputError("wrong_shape", "a scene without a first utterance or calls")
    talk = Talk()
    talk.say("user", first[1])
    for line in text[calls.end() :].splitlines():
        if not line.strip():
            continue
        if len(line) > LONGEST_CALL:
            raise RejectedInputError(
                "too_large", f"a call is longer than {LONGEST_CALL} characters"
            )
        line_calls, end = read_calls(line)
        if line[end:].strip():
            talk.oddities.add("text_behind_call")
        for call in line_calls:
            talk.oddities.update(call.tolerated)
            talk.call(call.api, call.arguments, None)
    return talk
