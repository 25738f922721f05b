"""`python -m prompts.language` prints how reliably `says` detects a value in a text."""

import sys

from prompts.language.measure import report

sys.stdout.write("\n".join(report()) + "\n")
