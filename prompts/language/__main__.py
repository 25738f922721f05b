"""`python -m prompts.language` prints how well it is told whether a text says a value."""

import sys

from prompts.language.measure import report

sys.stdout.write("\n".join(report()) + "\n")
