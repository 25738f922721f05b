"""`benchloom explore`: a release to look at, in a browser on this machine.

`opening` reads the release, `asking` asks its tables, `shown` makes rows into what pages tell, and
`web` serves the pages; only `web` knows FastAPI. Nothing here writes.
"""
