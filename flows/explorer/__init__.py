"""`benchloom explore`: view a release in a browser on this machine.

`open_release` reads the release, `table_page` and `related_rows` query its tables, `views`
prepares rows for pages, `exported_rows` shows them in other formats, and `web` serves the pages;
only `web` imports FastAPI. The package writes nothing but temporary files.
"""
