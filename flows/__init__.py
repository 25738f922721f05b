"""Prefect flows and the command line: the only place that composes."""
