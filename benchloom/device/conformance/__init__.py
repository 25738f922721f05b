"""The conformance kit: test cases for any implementation of Shortcuts."""
