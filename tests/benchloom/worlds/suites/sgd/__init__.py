"""Worlds of services."""
