"""Host and user of a remote login."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_NAMES = frozenset({"WFSSHHost", "WFSSHUser"})


def _judge(field: Field) -> str | None:
    return "server_login" if field.name in _NAMES else None


FINDER = FieldFinder(kinds=("server_login",), hint=re.compile("WFSSH"), judge=_judge)
