"""Stage review: people's answers about texts, as rows of a release."""

from flows.stages.review.stage import STAGE, review_to_folder, reviewed

__all__ = ["STAGE", "review_to_folder", "reviewed"]
