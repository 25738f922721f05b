"""Judge replies by the kind of the answer: an amount, a date, a truth value, or words."""
