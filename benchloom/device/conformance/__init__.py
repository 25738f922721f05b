"""The conformance kit contains test cases for any implementation of Apple Shortcuts."""
