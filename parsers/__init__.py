"""Parsers turn bytes into records, without network and disk."""
