"""Tokens with a vendor's typical form: detect-secrets' pattern detectors, called directly.

These detectors of detect-secrets are not used: the entropy and keyword detectors (they examine
any text); the detectors for addresses, URL logins and private keys (finders of this package
cover the whole value); the Artifactory detector, which matches lines of base64; and the
detector for web tokens, which leaves their signature in the text.
"""

import re
from collections.abc import Iterable, Iterator

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.cloudant import CloudantDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.softlayer import SoftlayerDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from benchloom.normalise.redaction.finders import Span, TextFinder, folded

DETECTORS: dict[str, type[RegexBasedDetector]] = {
    "aws_key": AWSKeyDetector,
    "azure_key": AzureStorageKeyDetector,
    "cloudant_key": CloudantDetector,
    "discord_token": DiscordBotTokenDetector,
    "github_token": GitHubTokenDetector,
    "gitlab_token": GitLabTokenDetector,
    "ibm_key": IbmCloudIamDetector,
    "ibm_cos_key": IbmCosHmacDetector,
    "mailchimp_key": MailchimpDetector,
    "npm_token": NpmDetector,
    "openai_key": OpenAIDetector,
    "pypi_token": PypiTokenDetector,
    "sendgrid_key": SendGridDetector,
    "slack_token": SlackDetector,
    "softlayer_key": SoftlayerDetector,
    "square_token": SquareOAuthDetector,
    "stripe_key": StripeDetector,
    "telegram_token": TelegramBotTokenDetector,
    "twilio_key": TwilioKeyDetector,
}
_REST = re.compile(r"[A-Za-z0-9_-]{0,400}")
_MARKS = {
    "aws_key": ("a3t", "abia", "acca", "akia", "asia", "acia", "aws"),
    "azure_key": ("accountkey=",),
    "cloudant_key": ("cl",),
    "discord_token": (".",),
    "github_token": ("gho_", "ghp_", "ghs_", "ghu_", "ghr_"),
    "gitlab_token": ("gl",),
    "ibm_key": ("ibm", "cloud"),
    "ibm_cos_key": ("secret",),
    "mailchimp_key": ("-us",),
    "npm_token": ("_authtoken",),
    "openai_key": ("t3blbkfj",),
    "pypi_token": ("pypi-ag",),
    "sendgrid_key": ("sg.",),
    "slack_token": ("xox", "hooks.slack"),
    "softlayer_key": ("sl", "softlayer"),
    "square_token": ("sq0csp",),
    "stripe_key": ("k_live_",),
    "telegram_token": (":",),
    "twilio_key": ("ac", "sk"),
}
"""A detector runs only if the folded text contains one of its marks."""
_CLOSER = {
    "aws_key": re.compile(r"A3T|A[BCKS][CI]A|[Aa][Ww][Ss]"),
    "discord_token": re.compile(r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\."),
    "gitlab_token": re.compile("gl[a-z]+-|GR1348941"),
    "telegram_token": re.compile(r":(?<=\d{8}:)[0-9A-Za-z_-]{35}"),
    "twilio_key": re.compile("(?:AC|SK)[a-z0-9]{32}"),
}
"""A second condition on the text, for detectors with common marks."""
_CLOSER_IN_LOW = {
    "cloudant_key": re.compile(
        r"cl(?:(?:ou|oudant)?[_-]?(?:api)?[_-]?(?:key|pw|pass|token)|(?<=\.cl)oudant\.com)"
    ),
    "ibm_cos_key": re.compile("secret[_-]?(?:access)?[_-]?key"),
    "ibm_key": re.compile("ibm|cloud[_-]?iam"),
    "softlayer_key": re.compile(
        r"s(?:(?:oft)?l(?:ayer)?[_-]?(?:api)?[_-]?(?:key|pwd|pass|token)|oftlayer)"
    ),
}
"""The same on the text from `_without_case`, for patterns that ignore case."""
_PATTERNS = [
    (
        kind,
        _MARKS[kind],
        _CLOSER.get(kind),
        _CLOSER_IN_LOW.get(kind),
        [re.compile(pattern) for pattern in detector().denylist],
    )
    for kind, detector in DETECTORS.items()
]


def _end_of_token(text: str, end: int) -> int:
    rest = _REST.match(text, end)
    return end if rest is None else rest.end()


def _find(text: str) -> Iterable[Span]:
    for patterns, kind in _worth_trying(text, folded(text)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                # Some patterns end before the token does.
                yield Span(match.start(), _end_of_token(text, match.end()), kind)


def _worth_trying(text: str, low: str) -> Iterator[tuple[list[re.Pattern[str]], str]]:
    plain = _without_case(low)
    for kind, marks, closer, closer_in_low, patterns in _PATTERNS:
        for mark in marks:
            if mark in low:
                break
        else:
            continue
        if (closer is None or closer.search(text)) and (
            closer_in_low is None or closer_in_low.search(plain)
        ):
            yield patterns, kind


def _without_case(low: str) -> str:
    # Patterns that ignore case take these two letters for "s" and "i".
    return low.replace("\u017f", "s").replace("\u0131", "i")


def _glance(text: str, low: str) -> bool:
    return next(_worth_trying(text, low), None) is not None


FINDER = TextFinder(
    kinds=tuple(DETECTORS),
    # Every one of these has ten characters without a space, and most hold a digit.
    hint=re.compile(r"[^\s\"]{10}"),
    glance=_glance,
    find=_find,
)
