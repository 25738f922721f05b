"""Addresses of webhooks and private calendars: anyone who knows one can use it."""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of

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
    rf"[./](?:web)?hooks?/(?={_REST}{{0,60}}\d))({_REST}{{8,300}})",
    re.IGNORECASE,
)
_HOST = re.compile(r"(?i)(?<![\w.-])([a-z0-9]{8,60})\.m\.pipedream\.net")
_IN_ANY_CASE = re.compile(_MARK.pattern, re.IGNORECASE)
_REACH = 512
FINDER = TextFinder(
    kinds=("webhook",),
    hint=_MARK,
    folded=True,
    find=spans_of("webhook", _ADDRESS, _HOST, near=(_IN_ANY_CASE, _REACH)),
)
