"""Prefect integration: settings, server, artifact pages, and how flows are started."""
