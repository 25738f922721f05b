"""Values of authorising HTTP headers in any mapping or dictionary."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_NAME = re.compile(
    r"(?i)(?:proxy-)?authorization|(?:set-)?cookie|.{0,40}api[-_]?key|.{0,40}[-_]token|x-auth.{0,40}|"
    r".{0,40}secret.{0,40}|.{0,40}access[-_]?key|.{0,40}subscription-key|.{0,40}-signature|.{0,40}session"
)


def _judge(field: Field) -> str | None:
    if _NAME.fullmatch(field.name) and any("eader" in part for part in field.path[:-1]):
        return "cookie" if "cookie" in field.name.lower() else "auth_header"
    return "auth_header" if field.name.lower() == "authorization" else None


FINDER = FieldFinder(
    kinds=("auth_header", "cookie"),
    hint=re.compile("header|authorization"),
    folded=True,
    judge=_judge,
)
