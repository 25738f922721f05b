"""Stage review: people's answers about texts, as rows of a release."""

from flows.stages.review.stage import STAGE, reviewed, write_answers

__all__ = ["STAGE", "reviewed", "write_answers"]
