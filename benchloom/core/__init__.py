"""Define records, ids, errors and discovered modules. This code reads and writes no data files."""
