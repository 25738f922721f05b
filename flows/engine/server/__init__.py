"""The Prefect server of a single run or schedule, started and ended with it."""
