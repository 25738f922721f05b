"""Plain stage functions; no Prefect here, so stage commands start fast."""
