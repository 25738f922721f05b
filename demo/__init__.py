"""The demo world: inputs written by hand, in our own sentences, and modules that build others."""
