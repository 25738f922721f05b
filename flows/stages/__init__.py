"""Plain stage functions without Prefect, so that stage commands start fast."""
