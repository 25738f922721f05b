"""Records of worlds: what there is to do in them."""
