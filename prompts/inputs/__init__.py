"""Convert rows of earlier stages to the typed inputs of steps."""
