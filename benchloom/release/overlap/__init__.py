"""Overlap of a release with other sets: texts, plans, shortcuts and entities, by split."""
