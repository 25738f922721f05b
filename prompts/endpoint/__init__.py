"""Clients that turn each request into one answer of an endpoint, directly or in batches."""
