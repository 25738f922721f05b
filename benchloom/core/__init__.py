"""Core: records, ids, errors and kinds of members; code here reads and writes no data files."""
