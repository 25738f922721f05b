"""Withhold data from releases: tombstones, opt-outs, and everything that follows from them."""
