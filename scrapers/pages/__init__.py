"""This package parses pages of sites from bytes to entries, without network and disk."""
