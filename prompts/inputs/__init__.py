"""Convert rows of earlier stages to the typed inputs of the steps that prompt a model."""
