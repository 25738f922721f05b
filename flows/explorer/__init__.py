"""The command `benchloom explore` shows a release in a browser on this machine.

`open_release` reads the release, `table_page` and `related_rows` query its tables, `views`
prepares rows for pages, and `web` serves the pages; only `web` imports FastAPI. The package
writes no files.
"""
