"""Convert files in SGD's format to plans: folders, converters, rows."""
