"""Find addresses of webhooks, private calendars and shared files.

Whoever knows such an address can use it.
"""

import re

from benchloom.normalise.redaction.finders import Stems, TextFinder, folded, spans_of
from benchloom.normalise.redaction.placeholders import is_stand_in

_REST = r"[^\s\"'<>\ufffc\[\]{}]"
_MARK = Stems(
    [
        "discord", "slack\\.com", "ifttt\\.com", "api\\.telegram", "zapier", "pushcut",
        "make\\.com", "integromat", "hook/", "hooks/", "day\\.app", "ftqq", "ntfy", "ical/",
        "webhook", "hc-ping", "pipedream", "chanify", "simplepush", "smee\\.io", "macrodroid",
        "heartbeat/",
        "dropbox\\.com/s", "1drv\\.ms", "onedrive\\.live", "docs\\.google", "drive\\.google",
        "icloud\\.com/(?:sha|icl|pho|no|re|pa|nu|ke|fr)", "photos\\.app", "mega\\.nz",
        "whatsapp\\.com", "t\\.me/", "we\\.tl", "pan\\.baidu", "/send/#", "/shared?/",
        "/index\\.php/s/",
    ]
)  # fmt: skip
_ADDRESS = re.compile(
    rf"(?:discord(?:app)?\.com/api/(?:v\d{{1,2}}/)?webhooks/|hooks\.slack\.com/(?:services|"
    rf"workflows|triggers)/|maker\.ifttt\.com/\S{{1,120}}?/key/|api\.telegram\.org/bot|"
    rf"hooks\.zapier\.com/hooks/catch/|api\.pushcut\.io/|hook\.[a-z0-9.]{{0,12}}"
    rf"(?:make|integromat)\.com/|\.webhook\.office\.com/|"
    rf"api\.day\.app/|ntfy\.sh/(?!docs|app|static|v1/)|sctapi\.ftqq\.com/|sc\.ftqq\.com/|"
    rf"calendar/ical/|hc-ping\.com/|api\.chanify\.net/v1/sender/|api\.simplepush\.io/send/|"
    rf"dropbox\.com/(?:s|sh|scl/f[io])/|1drv\.ms/|onedrive\.live\.com/\S{{0,40}}?(?:resid|redir|id)=|"
    rf"docs\.google\.com/\w{{1,20}}/(?:u/\d/)?d/(?!e/)|drive\.google\.com/(?:file/d/|drive/folders/|"
    rf"\w{{1,6}}\?(?:\S{{0,40}}?&)?id=)|icloud\.com/(?:sharedalbum|iclouddrive|photos|notes|reminders|"
    rf"pages|numbers|keynote|freeform)/|photos\.app\.goo\.gl/|mega\.nz/|chat\.whatsapp\.com/|"
    rf"t\.me/(?:\+|joinchat/)|we\.tl/t-|pan\.baidu\.com/s/|/send/#|"
    rf"/shared?/(?=(?:[a-z_-]{{0,40}}\d){{2}})(?=[\w-]{{10}})|/index\.php/s/|"
    rf"smee\.io/|trigger\.macrodroid\.com/|/heartbeat/|"
    rf"[./](?:web)?hooks?/(?={_REST}{{0,60}}\d))({_REST}{{8,300}})"
)
_HOST = re.compile(r"(?<![\w.-])([a-z0-9]{8,60})\.m\.pipedream\.net")
_REACH = 512
_find = spans_of(
    "webhook",
    _ADDRESS,
    _HOST,
    near=(_MARK, _REACH),
    is_value=lambda value: not is_stand_in(value.rpartition("/")[2]),
)
FINDER = TextFinder(
    kinds=("webhook",),
    hint=_MARK,
    folded=True,
    find=lambda text: _find(folded(text)),
)
