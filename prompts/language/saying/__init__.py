"""Decides whether a text states a value, in any of the wordings that people use for it."""

from prompts.language.saying.says import says

__all__ = ["says"]
