"""Addresses of webhooks and private calendars: anyone who knows one can use it."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, folded, matches, parts_near

_REST = r"[^\s\"'<>\ufffc\[\]{}]"
_MARK = re.compile(
    r"discord|slack\.com|ifttt\.com|api\.telegram|zapier|pushcut|make\.com|integromat|"
    r"hooks?/|day\.app|ftqq|ntfy|ical/|webhook|hc-ping|pipedream|"
    r"chanify|simplepush|smee\.io|macrodroid|heartbeat/"
)
_ADDRESS = re.compile(
    rf"(?:discord(?:app)?\.com/api/(?:v\d{{1,2}}/)?webhooks/|hooks\.slack\.com/(?:services|"
    rf"workflows|triggers)/|maker\.ifttt\.com/\S{{1,120}}?/key/|api\.telegram\.org/bot|"
    rf"hooks\.zapier\.com/hooks/catch/|api\.pushcut\.io/|hook\.[a-z0-9.]{{0,12}}"
    rf"(?:make|integromat)\.com/|\.webhook\.office\.com/|"
    rf"api\.day\.app/|ntfy\.sh/(?!docs|app|static|v1/)|sctapi\.ftqq\.com/|sc\.ftqq\.com/|"
    rf"calendar/ical/|hc-ping\.com/|api\.chanify\.net/v1/sender/|api\.simplepush\.io/send/|"
    rf"smee\.io/|trigger\.macrodroid\.com/|/heartbeat/|"
    rf"[./](?:web)?hooks?/(?={_REST}{{0,60}}\d))({_REST}{{8,300}})"
)
_REACH = 512


def _find(text: str) -> Iterable[Span]:
    low = folded(text)
    for match in matches(_ADDRESS, low, parts_near(_MARK, low, _REACH)):
        yield Span(match.start(1), match.end(1), "webhook")


FINDER = TextFinder(kinds=("webhook",), hint=_MARK, folded=True, find=_find)
