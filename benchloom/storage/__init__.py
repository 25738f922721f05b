"""Storage: inputs, tables, stage folders, seals and the memory of a workspace."""
