"""The archive of everything that was ever fetched: WARC files, their index, replay, recovery.

`<captures>/<site>/<site>-<number>.warc.gz` holds one run of one site; beside it lies its index,
`<same name>.index.parquet`, a file of table `captures`, once the run has closed it.
"""

from scrapers.captures.recovery import recover
from scrapers.captures.store import CaptureStore
from scrapers.captures.writer import CaptureWriter

__all__ = ["CaptureStore", "CaptureWriter", "recover"]
