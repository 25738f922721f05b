"""Import what most workers need into the server from which workers are forked.

Most workers need all checks of texts, all finders of personal data and all gates of releases. The
modules of these are imported only when a list of them is requested, so this module requests each
list.
"""

from benchloom.normalise.redaction.finders import FINDERS
from benchloom.release.gates import GATES
from prompts.checks import CHECKS

CHECKS.all()
FINDERS.all()
GATES.all()
