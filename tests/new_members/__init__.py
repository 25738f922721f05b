"""One new member of each kind, one file each, for `tests/contracts/test_one_new_file.py`."""
