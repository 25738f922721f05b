"""Core: records, identities, errors and members, which know nothing of files."""
