"""Clauses of requests for what is not one action: addresses, files, sums, conditions, links."""
