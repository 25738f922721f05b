"""Read the values of each kind that a text contains: numbers, units, dates and times."""
