"""Words and values as people write them, and the offline writer; no model."""
