"""Render API definitions: as text for people and models, as JSON Schema for tool callers."""

__all__ = []
