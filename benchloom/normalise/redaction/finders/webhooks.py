"""Webhook addresses: secret as a whole, because anyone who knows an address can post to it."""

import re

from benchloom.normalise.redaction.finder import TextFinder, spans_of

_REST = r"[^\s\"'<>\ufffc\[\]{}]"
FINDER = TextFinder(
    kinds=("webhook",),
    hint=re.compile(
        r"discord|slack\.com|ifttt\.com|api\.telegram|zapier|pushcut|make\.com|integromat|"
        r"webhook|day\.app|ftqq|ntfy"
    ),
    folded=True,
    find=spans_of(
        re.compile(
            rf"(?:discord(?:app)?\.com/api/(?:v\d+/)?webhooks/|hooks\.slack\.com/(?:services|"
            rf"workflows|triggers)/|maker\.ifttt\.com/\S{{1,120}}?/key/|api\.telegram\.org/bot|"
            rf"hooks\.zapier\.com/hooks/catch/|api\.pushcut\.io/|hook\.[a-z0-9.]{{0,12}}"
            rf"(?:make|integromat)\.com/|[a-z0-9-]{{1,60}}\.webhook\.office\.com/|"
            rf"api\.day\.app/|ntfy\.sh/(?!docs|app|static|v1/)|sctapi\.ftqq\.com/|sc\.ftqq\.com/|/api/webhook/)"
            rf"({_REST}{{8,300}})",
            re.IGNORECASE,
        ),
        "webhook",
    ),
)
