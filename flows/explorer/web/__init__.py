"""Web pages over a release, for the browser on this machine; only this package uses FastAPI.

Every response is a page or a file to read: nothing can be changed, so no request has a body.
"""
