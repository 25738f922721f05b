"""Parameters and entries that hold the id of an account, a device or an item of a storage."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_NAME = re.compile(
    r"crossDeviceItemID|accountIdentifier|accountID|deviceIdentifier|deviceUUID|"
    r"WFAccountIdentifier|homeIdentifier|fileProviderItemIdentifier"
)


def _judge(field: Field) -> str | None:
    return "device_id" if _NAME.fullmatch(field.name) else None


FINDER = FieldFinder(
    kinds=("device_id",),
    hint=re.compile("crossDeviceItemID|ccountI|eviceI|eviceU|homeIdentifier|fileProviderItem"),
    judge=_judge,
)
