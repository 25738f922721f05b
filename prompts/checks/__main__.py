"""`python -m prompts.checks` prints precision and recall of every check."""

import sys

from prompts.checks.measure import load_sample, report

sys.stdout.write("\n".join(report(load_sample())) + "\n")
