"""Describe the workflow of a shortcut as text."""
