"""What a rebuild ended in: its record, notices of failures, and rows that a release must have."""
