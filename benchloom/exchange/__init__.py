"""Exchange: examples of calls, and the formats in which others read and write them."""
