"""The stages of dialogues convert them to plans, merge equal plans, and select sets of plans."""
