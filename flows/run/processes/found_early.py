"""Load members that most workers need; imported by the server that forks workers."""

from benchloom.normalise.redaction.registry import FINDERS
from benchloom.release.gates import GATES
from prompts.checks import CHECKS

CHECKS.all()
FINDERS.all()
GATES.all()
