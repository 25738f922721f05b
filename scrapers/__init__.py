"""This package fetches data from the web, and stores every response unchanged as a capture."""
