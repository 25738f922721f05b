"""What no release may hold: tombstones, opt-outs, and everything that follows from them."""
