"""Code for records, labels of calls and JSON tools, which readers of external datasets share."""
