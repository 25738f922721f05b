"""Human review of texts: a sample to read, and a log of answers that survives killed runs."""
