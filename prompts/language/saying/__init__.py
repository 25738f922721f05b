"""Decides whether a text states a value, in any of the wordings that people use for it."""

from prompts.language.saying.says import last_within, says

__all__ = ["last_within", "says"]
