"""The board: an HTML page that compares the scores of models with each other and with papers."""
