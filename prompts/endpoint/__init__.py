"""Endpoints: one request becomes one answer, direct or in batches."""
