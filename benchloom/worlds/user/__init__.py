"""A user without a model: understands free text, and answers only what is asked.

    user = User(facts_of(task), ...)
    user.answer("What time should I book?")  # "The time is 11:30."

A task of kind `dialogue` has the facts as its turns after the first; the user gives one only when
it is asked for.
"""
