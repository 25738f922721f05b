"""Check that a request must be declined: a policy forbids it, or no offered tool can fulfil it."""
