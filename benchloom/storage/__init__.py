"""Read inputs, and store tables, results of pipeline stages, digests and cached values on disk."""
