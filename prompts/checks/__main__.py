"""Print precision and recall of every check: `python -m prompts.checks [CARD]`.

With the path of a dataset card (`datasets/verdicts/card.md`), the table in the card is renewed,
too.
"""

import sys
from pathlib import Path

from prompts.checks.measure import card_table, load_sample, with_table

sample = load_sample()
for name in sys.argv[1:]:
    card = Path(name)
    card.write_text(with_table(card.read_text("utf-8"), sample), "utf-8")
sys.stdout.write(card_table(sample))
