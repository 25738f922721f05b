"""Statistics of an evaluation: counts, metrics and intervals."""
