"""`python -m prompts.checks [CARD]` prints precision and recall of every check.

With the path of a card (`datasets/verdicts/card.md`) it also renews the card's table.
"""

import sys
from pathlib import Path

from prompts.checks.measure import card_table, load_sample, with_table

sample = load_sample()
for name in sys.argv[1:]:
    card = Path(name)
    card.write_text(with_table(card.read_text("utf-8"), sample), "utf-8")
sys.stdout.write(card_table(sample))
