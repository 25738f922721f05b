"""What a release shares with other sets: texts, plans, shortcuts and entities, by split."""
