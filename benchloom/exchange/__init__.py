"""Read and write examples of tool use in external formats, and join or split rows of releases."""
