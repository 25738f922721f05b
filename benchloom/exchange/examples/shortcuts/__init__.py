"""Convert shortcuts to examples: actions become calls, outputs and variables become references."""
