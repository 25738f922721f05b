"""This package starts a Prefect server that ends together with a single run or schedule."""
