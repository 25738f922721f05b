"""A stand-in for the Hugging Face Hub that runs on loopback."""
