"""Records of worlds: what services gave back, and what there is to do."""
