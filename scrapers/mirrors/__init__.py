"""Inputs behind URLs, copied into the workspace file by file, so that stages read local files.

`address` says what a URL may be and where its copy lies, `store` asks the file system behind it,
`record` remembers what was fetched, `mirroring` makes the copy what the store holds, and `inputs`
turns what a run is given into paths.
"""
