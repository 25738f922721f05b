"""API definition formats, one module per format."""
