"""Statistics of an evaluation: counts of samples, metrics, and confidence intervals."""
