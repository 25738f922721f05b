"""Import what most workers need into the server from which workers are forked.

These modules are all checks of texts, all finders of personal data and all gates of releases.
Members of a kind are imported only when they are searched, so a list of modules would not suffice.
"""

from benchloom.normalise.redaction.finders import FINDERS
from benchloom.release.gates import GATES
from prompts.checks import CHECKS

CHECKS.all()
FINDERS.all()
GATES.all()
