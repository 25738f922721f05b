"""The table of scored samples, and a reader for stored tables."""
