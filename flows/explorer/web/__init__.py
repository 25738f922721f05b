"""Web pages over a release, for the browser on this machine; only this package uses FastAPI.

Only the forms of reviews and of tasks have a body; all other requests read a page or a file.
"""
