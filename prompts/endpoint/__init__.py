"""Clients that send requests to a model, one by one or in batches, and log the replies."""
