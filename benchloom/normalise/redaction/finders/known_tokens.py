"""Tokens whose vendor gave them a shape: detect-secrets' pattern detectors, called directly.

Left out: its entropy and keyword detectors (they look at any text), and those for addresses, URL
logins and private keys, which have finders of their own here that cover the whole value; and the
one for Artifactory, which finds lines of base64.
"""

import re
from collections.abc import Iterable

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.cloudant import CloudantDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
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

from benchloom.normalise.redaction.finder import Span, TextFinder

DETECTORS: dict[str, type[RegexBasedDetector]] = {
    "aws_key": AWSKeyDetector,
    "azure_key": AzureStorageKeyDetector,
    "cloudant_key": CloudantDetector,
    "discord_token": DiscordBotTokenDetector,
    "github_token": GitHubTokenDetector,
    "gitlab_token": GitLabTokenDetector,
    "ibm_key": IbmCloudIamDetector,
    "ibm_cos_key": IbmCosHmacDetector,
    "jwt": JwtTokenDetector,
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
_PATTERNS = [
    (kind, re.compile(pattern))
    for kind, detector in DETECTORS.items()
    for pattern in detector().denylist
]


def _find(text: str) -> Iterable[Span]:
    for kind, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            yield Span(found.start(), found.end(), kind)


FINDER = TextFinder(
    kinds=tuple(DETECTORS),
    hint=re.compile(
        r"A3T|A[BCKS][CI]A|(?i:aws)|AccountKey=|gh[opsur]_|gl[a-z]+-|"
        r"GR1348941|eyJ|-us\d|_authToken|T3BlbkFJ|pypi-Ag|SG\.|xox|hooks\.slack|sq0csp|k_live_|"
        r"\d{8}:[0-9A-Za-z_-]{35}|AC[a-z0-9]{32}|SK[a-z0-9]{32}|(?i:cloud|softlayer|ibm|cos|sl_)|"
        r"[MNO][a-zA-Z\d_-]{23,25}\.[a-zA-Z\d_-]{6}\."
    ),
    find=_find,
)
