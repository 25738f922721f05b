"""Render API definitions: as text for people and models, as JSON Schema for tool callers."""

from benchloom.exchange.rendering.definition_schema import definition_schema
from benchloom.exchange.rendering.definition_text import definition_text

__all__ = ["definition_schema", "definition_text"]
