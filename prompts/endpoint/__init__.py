"""Clients that send requests to an endpoint, directly or in batches, and return one answer each."""
