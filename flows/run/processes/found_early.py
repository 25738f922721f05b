"""Imported by the server that workers are forked from: members that most workers would look for."""

from benchloom.normalise.redaction.registry import FINDERS
from benchloom.release.gates import GATES
from prompts.checks import CHECKS

CHECKS.all()
FINDERS.all()
GATES.all()
