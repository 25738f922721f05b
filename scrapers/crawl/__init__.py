"""This package crawls sites and downloads shortcuts, and reads the captures of both."""
