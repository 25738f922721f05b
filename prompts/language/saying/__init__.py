"""Whether a text says a value, in whatever words people use for it."""

from prompts.language.saying.says import says

__all__ = ["says"]
