"""The stages of API definitions parse them and merge them into one catalogue."""
