"""Find private keys in PEM and PuTTY form, also if the end of the text cuts them off."""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of

_NAME = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM = re.compile(rf"(?s)-----BEGIN {_NAME}.*?(?:-----END {_NAME}|\Z)")
_PUTTY = re.compile(r"(?s)PuTTY-User-Key-File-\d.*?(?:Private-MAC: [0-9a-f]+|\Z)")
FINDER = TextFinder(
    kinds=("private_key",),
    hint=re.compile(r"PRIVATE KEY|PuTTY-User-Key-File"),
    find=spans_of("private_key", _PEM, _PUTTY),
    whole=True,
)
