"""Core: records, identities, errors and member kinds; it reads and writes no data files."""
