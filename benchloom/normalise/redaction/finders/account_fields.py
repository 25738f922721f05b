"""Parameters and entries that hold the id of an account, a team, a device or a stored item."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_NAME = re.compile(
    r"crossDeviceItemID|accountIdentifier|accountID|deviceIdentifier|deviceUUID|"
    r"WFAccountIdentifier|homeIdentifier|fileProviderItemIdentifier|[Tt]eamIdentifier|teamID"
)
_OF_THE_SYSTEM = "0000000000"
"""The team of apps that come with the system."""


def _judge(field: Field) -> str | None:
    if field.value == _OF_THE_SYSTEM:
        return None
    return "device_id" if _NAME.fullmatch(field.name) else None


FINDER = FieldFinder(
    kinds=("device_id",),
    hint=re.compile("crossDeviceItemID|ccountI|eviceI|eviceU|eamI|homeIdentifier|fileProviderItem"),
    judge=_judge,
)
