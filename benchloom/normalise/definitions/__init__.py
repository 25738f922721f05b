"""API definitions from parsed to published rows: one catalogue, its gaps and conflicts, apps."""
