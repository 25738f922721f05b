"""Definitions for readers: as text for prompts and people, as JSON Schema for tool callers."""

from benchloom.rendering.definition_schema import definition_schema, openai_tool
from benchloom.rendering.definition_text import definition_text

__all__ = ["definition_schema", "definition_text", "openai_tool"]
