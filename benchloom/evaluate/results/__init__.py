"""The table of scored samples, and reading it from saved results."""
