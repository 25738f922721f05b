"""A stand-in for a model on loopback, and small inputs for its prompts."""
