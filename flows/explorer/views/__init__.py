"""Rows as pages tell them: typed, shortened, with links to what they lead to."""
