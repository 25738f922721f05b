"""The web pages of a release, for a browser on this machine.

Only this package uses FastAPI. Only the forms of reviews and of tasks have a body; all other
requests read a page or a file.
"""
