"""Parsers of annotated dialogues, one module per dataset."""
