"""Word names and values without a model, and recognise the values that a text states."""
