"""The board: scorings side by side, with the published results beside them."""
