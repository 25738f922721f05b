"""The board: what was scored, side by side, with the published results beside it."""
