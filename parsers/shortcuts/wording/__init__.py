"""A shortcut in words: its workflow as text."""
