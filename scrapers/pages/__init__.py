"""Reading pages: bytes in, entries out; no network is allowed here."""
