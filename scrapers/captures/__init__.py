"""This package writes every response that was fetched to archives (WARC files), and reads them.

The archive `<captures>/<site>/<site>-<number>.warc.gz` contains the records of one run for one
site. When the run closes the archive, it writes the archive's index, a Parquet file of the table
`captures`, to the folder `<captures>/state/`.
"""

from scrapers.captures.index import ArchiveIndex, captures_in
from scrapers.captures.store import CaptureStore, body_of
from scrapers.captures.writer import CaptureWriter, recover

__all__ = ["ArchiveIndex", "CaptureStore", "CaptureWriter", "body_of", "captures_in", "recover"]
