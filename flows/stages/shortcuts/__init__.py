"""The stages of shortcuts: parse, normalise, fingerprint, enrich, join and execute."""
