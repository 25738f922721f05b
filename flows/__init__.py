"""Prefect flows and the command line: the only package that combines the others."""
