"""`benchloom explore`: view a release in a browser on this machine.

`opening` reads the release, `asking` queries its tables, `shown` prepares rows for pages, and
`web` serves the pages; only `web` imports FastAPI. The package writes nothing.
"""
