"""Inputs behind URLs, copied into the workspace file by file, so that stages read local files.

`address` says which URLs are allowed and where a copy goes, `store` queries the file system
behind a URL, `record` remembers the fetched files, `mirroring` makes the copy equal to the
store, and `inputs` turns the inputs of a run into paths.
"""
