"""Load the checks, finders and gates that most workers need, in the server that forks workers."""

from benchloom.normalise.redaction.finders import FINDERS
from benchloom.release.gates import GATES
from prompts.checks import CHECKS

CHECKS.all()
FINDERS.all()
GATES.all()
