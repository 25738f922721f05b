"""A user without a model, who is asked in free text and answers what is asked and nothing else.

    user = User(facts_of(task), ...)
    user.answer("What time should I book?")  # "The time is 11:30."

A task of kind `dialogue` has the facts as its turns after the first; the user gives one only when
it is asked for.
"""
