"""Find tokens that begin with the prefix of a vendor.

The forms are published by the vendors, for secret scanners and in manuals. A prefix alone is not a
token: the characters after the prefix must have the right alphabet and length, and must contain a
digit if words could match.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, any_of

_EDGE = r"(?<![A-Za-z0-9])"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
FORMS: dict[str, tuple[str, ...]] = {
    "jwt": (r"eyJ[A-Za-z0-9_=-]{10,4000}\.[A-Za-z0-9_=-]{2,8000}(?:\.[A-Za-z0-9_.+/=-]{0,4000})?",),
    "google_key": (
        r"AIza[0-9A-Za-z_-]{35}",
        r"ya29\.[0-9A-Za-z_-]{20,400}",
        r"1//0[0-9A-Za-z_-]{20,200}",
        r"GOCSPX-[0-9A-Za-z_-]{20,40}",
    ),
    "aws_key": (r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA|ACIA)[A-Z0-9]{16}",),
    "azure_key": (r"AccountKey=[A-Za-z0-9+/=]{88}",),
    "openai_key": (
        r"sk-(?=[A-Za-z_-]{0,80}\d)(?:proj-|svcacct-|admin-|ant-|or-)?[A-Za-z0-9_-]{20,240}",
        r"sess-[A-Za-z0-9]{40}",
    ),
    "github_token": (r"gh[opusr]_[A-Za-z0-9_]{36,255}", r"github_pat_[A-Za-z0-9_]{22,100}"),
    "gitlab_token": (
        r"gl(?:pat|rt|dt|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt|rtr)-[A-Za-z0-9_=.-]{20,300}",
        r"GR1348941[A-Za-z0-9_-]{20,50}",
    ),
    "hugging_face_token": (r"(?:hf|api_org)_[A-Za-z0-9]{30,40}",),
    "pypi_token": (r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{70,400}",),
    "sendgrid_key": (r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43,60}",),
    "slack_token": (
        r"xox[abposr]-(?:\d{1,20}-){1,5}[A-Za-z0-9_-]{10,400}",
        r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,80}",
        r"xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,200}",
    ),
    "stripe_key": (r"(?:[rsp]k_(?:live|test)_|whsec_)[0-9a-zA-Z]{16,250}",),
    "notion_token": (r"(?:secret_|ntn_)[A-Za-z0-9]{36,60}",),
    "airtable_token": (
        r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?!\w)",
        r"key(?=[A-Za-z]{0,13}\d)[A-Za-z0-9]{14}(?!\w)",
    ),
    "facebook_token": (r"EAA[A-Za-z0-9]{40,300}", r"IG(?:QV|QW|AA)[A-Za-z0-9_-]{60,300}"),
    "dropbox_token": (r"sl\.[A-Za-z0-9_-]{60,1200}",),
    "square_token": (r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,60}", r"EAAA[A-Za-z0-9_-]{56,70}"),
    "telegram_token": (r"\d{8,10}:(?:AA[A-Za-z0-9_-]{32,34}|[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])",),
    "twilio_key": (r"(?:AC|SK)[a-f0-9]{32}(?::[a-f0-9]{32})?(?![A-Za-z0-9])",),
    "mailgun_key": (r"(?:key|pubkey)-[a-f0-9]{32}(?![A-Za-z0-9])",),
    "spotify_token": (r"(?:AQ|BQ)[A-Za-z0-9_-]{90,400}(?![A-Za-z0-9_-])",),
    "npm_token": (r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])", r"_authToken=[A-Za-z0-9_-]{36,80}"),
    "api_token": (
        # Models and search
        r"xai-[A-Za-z0-9]{60,100}",
        r"gsk_[A-Za-z0-9]{40,60}",
        r"pplx-[A-Za-z0-9]{40,60}",
        r"r8_[A-Za-z0-9]{30,40}",
        r"nvapi-[A-Za-z0-9_-]{40,80}",
        r"csk-[a-z0-9]{40,60}",
        r"tgp_v1_[A-Za-z0-9_-]{40,50}",
        r"fw_[A-Za-z0-9]{22,30}(?![A-Za-z0-9])",
        r"sk_[a-f0-9]{48}(?![a-f0-9])",
        r"(?:apify_api|e2b|sgp|cal_live|ory_[ar][tc])_[A-Za-z0-9_-]{32,80}",
        r"(?:mlsn|whsk)\.[A-Za-z0-9_-]{40,80}",
        r"[mu]\d{6,9}-[a-f0-9]{24}(?![A-Za-z0-9])",
        r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,40}",
        r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,40}",
        r"fc-[a-f0-9]{32}(?![A-Za-z0-9])",
        r"BSA[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])",
        r"lsv2_[ps][tk]_[a-f0-9]{32}_[a-f0-9]{10}",
        r"pcsk_[A-Za-z0-9_]{50,80}",
        r"pa-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])",
        # Code, packages and hosting
        r"AKC[a-zA-Z0-9]{50,90}",
        r"do[por]_v1_[a-f0-9]{64}",
        r"dckr_[po]at_[A-Za-z0-9_-]{20,60}",
        r"rubygems_[a-f0-9]{48}",
        r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        r"oy2[a-z0-9]{43}(?![a-z0-9])",
        r"CLOJARS_[a-z0-9]{60}",
        r"packagist_[a-z]{2,8}_[a-f0-9]{68}",
        r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}",
        r"bkua_[a-z0-9]{40}",
        r"sq[uap]_[a-f0-9]{40}",
        r"ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        r"AT(?:ATT|CTT)3[A-Za-z0-9_=.-]{100,300}",
        r"ATTA[a-f0-9]{64,72}",
        r"nfp_[A-Za-z0-9]{36,60}",
        r"rnd_[A-Za-z0-9]{28,40}(?![A-Za-z0-9])",
        r"HRKU-[A-Za-z0-9_-]{36,80}",
        r"fo1_[A-Za-z0-9_-]{40,50}",
        r"fm[12][ar]?_[A-Za-z0-9+/=_-]{60,2000}",
        r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{32,64}",
        r"napi_[a-z0-9]{50,80}",
        r"sb[ps]_(?:oauth_|v0_)?[a-f0-9]{40}(?![a-f0-9])",
        r"sb_secret_[A-Za-z0-9_-]{20,60}",
        r"dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])",
        r"pul-[a-f0-9]{40}",
        r"pn[ub]_[A-Za-z0-9]{36}",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
        r"hv[sbr]\.[A-Za-z0-9_-]{20,300}",
        r"(?:vc[pkair]|cfut|cfat)_[A-Za-z0-9_-]{24,80}",
        r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,150}",
        r"tskey-[a-z]+-[A-Za-z0-9-]{16,60}",
        r"SCW[A-Z0-9]{17}(?![A-Z0-9])",
        r"LTAI[A-Za-z0-9]{16,24}(?![A-Za-z0-9])",
        r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        r"K00\d[A-Za-z0-9/+]{27}(?![A-Za-z0-9/+])",
        # Monitoring
        r"NR(?:AK|RA|II|AA|IQ)-[A-Za-z0-9_-]{27,40}",
        r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
        r"glc_[A-Za-z0-9+/=]{32,400}",
        r"sntry[usai]_[A-Za-z0-9+/=_-]{60,300}",
        r"ph[cxs]_[A-Za-z0-9]{40,50}",
        r"hc[abcirx][a-z]{2}_[a-z0-9]{58}",
        r"(?:api|sdk|mob)-" + _UUID,
        # Work
        r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}",
        r"fig[dour]h?_[A-Za-z0-9_-]{36,60}",
        r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
        r"pk_\d{5,12}_[A-Z0-9]{32}",
        r"[12]/\d{12,17}(?:/\d{12,17})?:[a-f0-9]{32}",
        r"tfp_[A-Za-z0-9_.=-]{40,70}",
        r"CFPAT-[A-Za-z0-9_-]{43}",
        r"rdme_[a-z0-9]{60,80}",
        r"pat-(?:na|eu|ap)\d-" + _UUID,
        r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        r"xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}",
        r"\d{5,9}\.(?:pt|at)\.[A-Za-z0-9_-]{60,120}",
        r"fio-u-[A-Za-z0-9_=-]{50,80}",
        # Money
        r"shp(?:at|ca|pa|ss|rt)_[a-fA-F0-9]{32}",
        r"c[ks]_[a-f0-9]{40}(?![a-f0-9])",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        r"(?:access|public)-(?:production|development|sandbox)-" + _UUID,
        r"rzp_(?:live|test)_[A-Za-z0-9]{14}",
        r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,40}(?:-X)?",
        r"(?:live|test)_[A-Za-z0-9]{30}(?![A-Za-z0-9_])",
        r"shippo_(?:live|test)_[a-f0-9]{40}",
        r"duffel_(?:live|test)_[A-Za-z0-9_=-]{43}",
        r"EZ[AT]K[A-Za-z0-9]{54}",
        r"xprv[1-9A-HJ-NP-Za-km-z]{100,115}",
        r"[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])",
        # Messages and home
        r"o\.[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        r"tk_[a-z0-9]{29}(?![a-z0-9])",
        r"syt_[A-Za-z0-9_=-]{4,80}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}",
        r"oauth:[a-z0-9]{30}(?![a-z0-9])",
        r"mfa\.[A-Za-z0-9_-]{80,100}",
        r"A{19,22}[A-Za-z0-9%+/=]{60,140}",
        r"vk1\.a\.[A-Za-z0-9_-]{60,300}",
        r"\d{8,20}-[A-Za-z0-9]{40}(?![A-Za-z0-9])",
        r"y[0-3]_[A-Za-z0-9_-]{50,70}",
        r"AQVN[A-Za-z0-9_-]{35,40}",
        r"aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])",
        r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
        r"A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){4}",
        r"ops_eyJ[A-Za-z0-9_-]{100,2000}",
        r"[ps]k\.eyJ[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{16,60}",
        r"M\.[CR]\d{2,4}_[A-Z0-9]{2,4}\.[A-Za-z0-9.!*$_-]{60,600}",
    ),
}
MIDDLES: dict[str, tuple[str, str, str]] = {
    "discord_token": (
        r"\.[\w-]{6}\.(?=[\w-]{27})",
        r"[MNO][A-Za-z0-9_-]{23,25}",
        r"[A-Za-z0-9_-]{27,80}",
    ),
    "mailchimp_key": (r"-us(?=\d)", r"[a-z0-9]{32}", r"\d{1,2}"),
    "mailgun_key": (r"-(?<=[a-f0-9]{32}-)[a-f0-9]{8}-", r"[a-f0-9]{32}", r"[a-f0-9]{8}(?![\w-])"),
    "deepl_key": (r":(?<=[0-9a-f]:)(?:fx|dp)(?!\w)", _UUID, ""),
    "terraform_token": (r"\.atlasv1\.", r"[A-Za-z0-9]{14}", r"[A-Za-z0-9_=-]{60,70}"),
    "azure_secret": (r"Q~", r"[A-Za-z0-9_~.]{3}\d", r"[A-Za-z0-9_~.-]{31,34}"),
    "ngrok_token": (r"_(?<=[A-Za-z0-9]{27}_)", r"[A-Za-z0-9]{27}", r"[A-Za-z0-9]{21}(?!\w)"),
}
"""Tokens that are recognised by their middle. Each kind has patterns for the middle, the text
before it, and the text after it."""
PATTERNS = {
    kind: re.compile(_EDGE + "(?:" + "|".join(forms) + ")") for kind, forms in FORMS.items()
}
_INSIDE = {
    kind: (re.compile(middle), re.compile(_EDGE + before + middle + behind))
    for kind, (middle, before, behind) in MIDDLES.items()
}
_ANY = re.compile(f"{_EDGE}(?:{any_of(form for forms in FORMS.values() for form in forms)})")


def _find(text: str) -> Iterable[Span]:
    position = 0
    while (start := _ANY.search(text, position)) is not None:
        position = start.start() + 1
        for kind, pattern in PATTERNS.items():
            token_match = pattern.match(text, start.start())
            if token_match is not None and len(set(token_match[0][-12:])) > 3:
                yield Span(token_match.start(), token_match.end(), kind)
                position = max(position, token_match.end())
    for kind, (middle, whole) in _INSIDE.items():
        if middle.search(text) is not None:
            for token_match in whole.finditer(text):
                yield Span(token_match.start(), token_match.end(), kind)


def _glance(text: str, _low: str) -> bool:
    return _ANY.search(text) is not None or any(
        middle.search(text) is not None for middle, _ in _INSIDE.values()
    )


FINDER = TextFinder(
    kinds=tuple(dict.fromkeys((*PATTERNS, *_INSIDE))),
    hint=re.compile(r"[\w.~/:$=+%-]{16}"),
    glance=_glance,
    find=_find,
)
