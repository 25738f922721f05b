"""This package runs flows with Prefect: its settings, its server, artifacts and records of runs."""
