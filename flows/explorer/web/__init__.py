"""Pages over a release, for the browser on this machine; only this room knows FastAPI.

Every answer is a page or a file that is read: nothing can be changed, so no request has a body.
"""
