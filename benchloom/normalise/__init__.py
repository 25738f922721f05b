"""Convert parsed rows to rows that can be published.

Rows are deduplicated, joined, redacted and filtered, and each rejected row gets a reason.
"""
