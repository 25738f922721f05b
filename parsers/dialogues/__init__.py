"""This package parses datasets of annotated dialogues, and converts dialogues to plans."""
