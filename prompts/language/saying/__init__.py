"""Whether a text states a value, whatever wording people use for it."""

from prompts.language.saying.says import says

__all__ = ["says"]
