"""A rebuild with nothing new: what the last one read and made is compared, nothing else is done.

But for `marking`, which runs with a rebuild, nothing here imports Prefect, Arrow or the
configuration: to find that nothing changed costs the reading of the inputs, of our code and of what
was made. See docs/decisions/0235-a-rebuild-with-nothing-new.md.
"""
