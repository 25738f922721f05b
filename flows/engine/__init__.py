"""Prefect for this project: its settings, server, pages, and how a flow is started."""
