"""The board: a page that compares scorings with each other and with published results."""
