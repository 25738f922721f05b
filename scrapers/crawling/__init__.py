"""Crawls and downloads: which page comes next, which answers are kept, how a run resumes."""
