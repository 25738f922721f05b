"""A stand-in for a model on loopback, and small worlds to ask it about."""
