"""Simulate a user without a model, who understands questions and states only requested facts.

    user = User(task, world)
    user.answer("What time should I book?")  # "The time is 11:30."

In a task of kind `dialogue`, the turns after the first are facts, each of which the user states
only when asked.
"""
