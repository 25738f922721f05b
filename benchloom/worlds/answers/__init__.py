"""Decide by rules, without a model, whether a reply answers a question.

    question = Question(turns=("Tell me what the kettle costs.",), field="price_cents",
                        answer=4380, now="2027-03-15T09:00")
    fault_in(question, "It costs 43.80 crowns.")  # ""

A right reply states the value, in any spelling that people use for this kind of value, and no
other value in its place. A value does not count as stated if it is about something else, or is
part of a negation, a hedge, a question or a list of guesses.
"""

from benchloom.worlds.answers.decision import fault_in
from benchloom.worlds.answers.question import Question
from benchloom.worlds.answers.records import records_at

__all__ = ["Question", "fault_in", "records_at"]
