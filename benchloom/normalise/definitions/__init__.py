"""Turn parsed API definitions into published rows: catalogue, gaps, conflicts, apps."""
