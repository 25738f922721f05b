"""Code shared by several folders of tests."""
