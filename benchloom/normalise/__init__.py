"""From parsed rows to published rows: deduplicate, join, redact, filter, each with reasons."""
