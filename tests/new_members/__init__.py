"""A new member of every kind, each one file: `tests/contracts/test_one_new_file.py` adds them."""
