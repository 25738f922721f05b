"""Storage: inputs, tables, stage folders, digests of files, and the workspace's cache."""
