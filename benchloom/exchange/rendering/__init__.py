"""Render API definitions as JSON Schema for tool callers."""
