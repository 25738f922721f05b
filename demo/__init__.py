"""The demo world: hand-made inputs, and the scripts that write them."""
