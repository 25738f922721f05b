"""Convert dialogue files in SGD's format to plans."""
