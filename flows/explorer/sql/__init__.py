"""Statements of whoever looks at the release, each in a process of its own that is soon over."""
