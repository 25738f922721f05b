"""A stand-in for the Hugging Face Hub on loopback."""
