"""Archives with every response that was fetched: WARC files, their index, replay, recovery.

`<captures>/<site>/<site>-<number>.warc.gz` contains the records of one run for one site; when the
run closes it, its index, a file of table `captures`, is written to `<captures>/state/` (see
`layout`).
"""

from scrapers.captures.index import ArchiveIndex, captures_in
from scrapers.captures.store import CaptureStore, body_of
from scrapers.captures.writer import CaptureWriter, recover

__all__ = ["ArchiveIndex", "CaptureStore", "CaptureWriter", "body_of", "captures_in", "recover"]
