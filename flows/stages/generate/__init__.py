"""The stages of this package generate texts with models or templates, and judge texts."""
