"""Convert dialogue files in the format of Schema-Guided Dialogue (SGD) to plans."""
